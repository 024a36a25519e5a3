import fs from 'node:fs'
import Database from 'libsql'
import { digestApiKey, isWellFormedApiKey } from '@einvoicing/access/api-key'
import { limits } from '@einvoicing/domain/limits'
import type { Call } from '@einvoicing/rpc/call'
import { mentionsNamed } from './legal-mentions'
import {
  createCall,
  readErrorCode,
  OrganizationsUnderTest,
  password,
} from './testdata/organizations-under-test'

let underTest: OrganizationsUnderTest

beforeEach(async () => {
  underTest = new OrganizationsUnderTest()
  await underTest.open()
})
afterEach(() => underTest.remove())

describe('API keys', () => {
  it('belong to their organization, with missing details, from creation on', async () => {
    const identity = await underTest.signUp()
    const { key, id, apiKey } = await underTest.createKey(createCall(identity))
    expect(isWellFormedApiKey(key)).toBe(true)
    expect(apiKey.last4).toBe(key.slice(-4))
    expect(await underTest.authenticate(key)).toEqual({
      scopes: [],
      allowedNetworks: [],
      organizationId: identity.organizationId,
      apiKeyId: id,
      mentions: mentionsNamed('Société'),
      missing: ['address', 'city', 'ice', 'if', 'rc', 'tp'],
    })
  })

  it('revoked and unknown keys get the same error, from the next request on', async () => {
    const call = createCall(await underTest.signUp())
    const { key, id } = await underTest.createKey(call)
    await underTest.authenticate(key)
    await underTest.handlers.revokeApiKey({ apiKeyId: id }, call)
    const revoked: unknown = await underTest.authenticate(key).catch((error: unknown) => error)
    const unknown: unknown = await underTest
      .authenticate('svc_sk_x')
      .catch((error: unknown) => error)
    expect(revoked).toMatchObject({ code: 'API_KEY_INVALID' })
    expect(revoked).toEqual(unknown)
  })

  it('are authenticated several at once, each with its own answer or error', async () => {
    const identity = await underTest.signUp()
    const call = createCall(identity)
    const { key, id } = await underTest.createKey(call)
    const keysSha256 = [digestApiKey('svc_sk_x'), digestApiKey(key), digestApiKey('svc_sk_x')]
    const { answers } = await underTest.handlers.authenticateKeys(
      { keysSha256, clientNetworks: [] },
      call,
    )
    expect(answers.map(({ error }) => error?.code)).toEqual([
      'API_KEY_INVALID',
      undefined,
      'API_KEY_INVALID',
    ])
    expect(answers[1]?.authentication).toEqual(await underTest.authenticate(key))
    expect(answers[1]?.authentication?.apiKeyId).toBe(id)
  })

  it('at most a hundred in one call', async () => {
    const call = createCall(await underTest.signUp())
    const authenticateMany = (count: number) => {
      const keysSha256 = Array.from({ length: count }, (_, at) => digestApiKey(`svc_sk_${at}`))
      return underTest.handlers.authenticateKeys({ keysSha256, clientNetworks: [] }, call)
    }
    expect((await authenticateMany(100)).answers).toHaveLength(100)
    await expect(authenticateMany(101)).rejects.toThrow('more than 100 keys')
  })

  it('secrets are never stored: no file contains one, nor its plain digest when there is a pepper', async () => {
    const pepperFile = underTest.file('pepper')
    fs.writeFileSync(pepperFile, `${'p'.repeat(32)}\n`)
    await underTest.open({ store: underTest.store('peppered.db'), apiKeyPepperFile: pepperFile })
    const { key } = await underTest.createKey(createCall(await underTest.signUp()))
    expect(await readErrorCode(underTest.authenticate(key))).toBe('OK')
    const stored = fs
      .readdirSync(underTest.folder)
      .map((name) => fs.readFileSync(underTest.file(name), 'latin1'))
      .join()
    expect(stored).toContain('Société'.slice(0, 3))
    expect(stored).not.toContain(key)
    expect(stored).not.toContain(digestApiKey(key).toString('latin1'))
    expect(stored).not.toContain(password)
  })

  it('revoking twice gives the same answer; a stranger cannot revoke', async () => {
    const [owner, stranger] = [
      createCall(await underTest.signUp()),
      createCall(await underTest.signUp()),
    ]
    const { id, key } = await underTest.createKey(owner)
    const revoke = (call: Call, apiKeyId = id) =>
      underTest.handlers.revokeApiKey({ apiKeyId }, call)
    expect(await readErrorCode(revoke(stranger))).toBe('API_KEY_NOT_FOUND')
    expect(await readErrorCode(revoke(owner, 'malformed'))).toBe('API_KEY_NOT_FOUND')
    expect(await readErrorCode(underTest.authenticate(key))).toBe('OK')
    const first = await revoke(owner)
    underTest.nowMs += 1000
    expect(await revoke(owner)).toEqual(first)
    const actions = (await underTest.listAudit(owner)).map(({ action }) => action)
    expect(actions).toEqual(['api-key.revoked', 'api-key.created', 'organization.created'])
  })

  it('are listed newest first without their secret, with their last use', async () => {
    const call = createCall(await underTest.signUp())
    const old = await underTest.createKey(call, 'old')
    underTest.nowMs += 1000
    const young = await underTest.createKey(call, 'young')
    underTest.nowMs += 1000
    await underTest.authenticate(old.key)
    const list = () => underTest.handlers.listApiKeys({}, call)
    const { apiKeys } = await list()
    expect(apiKeys.map(({ name }) => name)).toEqual(['young', 'old'])
    expect(apiKeys.map(({ lastUsedAt }) => lastUsedAt)).toEqual([
      undefined,
      new Date(underTest.nowMs).toISOString(),
    ])
    expect(JSON.stringify(apiKeys)).not.toContain(young.key)

    await underTest.open()
    expect(await list()).toEqual({ apiKeys })
  })

  it.each([
    ['', 'blank'],
    ['   ', 'blank'],
    ['x'.repeat(101), 'at most 100'],
    ['a\u0007', 'control'],
  ])('cannot be named %j', async (name, reason) => {
    const call = createCall(await underTest.signUp())
    await expect(
      underTest.handlers.createApiKey({ name, scopes: [], allowedNetworks: [] }, call),
    ).rejects.toMatchObject({
      code: 'VALIDATION_ERROR',
      fieldErrors: [{ field: 'name', message: expect.stringContaining(reason) as string }],
    })
    expect(await readErrorCode(underTest.createKey(call, 'x'.repeat(100)))).toBe('OK')
  })

  it('at most a thousand live keys; an expired or revoked one makes space', async () => {
    const identity = await underTest.signUp()
    const call = createCall(identity)
    const { id } = await underTest.createKey(call)
    const expiresAt = new Date(underTest.nowMs + 1_000).toISOString()
    await underTest.createKey(call, 'short', { expiresAt })
    const more = limits.apiKeysPerOrganization - 2
    new Database(underTest.file('organizations.db')).exec(
      `WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${more})
       INSERT INTO api_key
         (id, organization_id, name, digest, last4, created_at)
       SELECT 'k' || i, '${identity.organizationId}', 'x', CAST('d' || i AS BLOB), '', ''
       FROM n`,
    )
    await expect(underTest.createKey(call)).rejects.toMatchObject({
      code: 'VALIDATION_ERROR',
      fieldErrors: [
        { field: 'name', message: expect.stringContaining('revoke one first') as string },
      ],
    })
    underTest.nowMs += 1_000
    expect(await readErrorCode(underTest.createKey(call))).toBe('OK')
    expect(await readErrorCode(underTest.createKey(call))).toBe('VALIDATION_ERROR')
    await underTest.handlers.revokeApiKey({ apiKeyId: id }, call)
    expect(await readErrorCode(underTest.createKey(call))).toBe('OK')
    expect((await underTest.handlers.listApiKeys({}, call)).apiKeys).toHaveLength(more + 4)
  })
})
