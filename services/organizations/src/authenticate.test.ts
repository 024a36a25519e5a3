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

let room: OrganizationsUnderTest

beforeEach(async () => {
  room = new OrganizationsUnderTest()
  await room.open()
})
afterEach(() => room.remove())

describe('API keys', () => {
  it('speak for their organization, with what it lacks, from the moment they are made', async () => {
    const identity = await room.signUp()
    const { key, id, apiKey } = await room.createKey(createCall(identity))
    expect(isWellFormedApiKey(key)).toBe(true)
    expect(apiKey.last4).toBe(key.slice(-4))
    expect(await room.authenticate(key)).toEqual({
      organizationId: identity.organizationId,
      apiKeyId: id,
      mentions: mentionsNamed('Société'),
      missing: ['address', 'city', 'ice', 'if', 'rc', 'tp'],
    })
  })

  it('are refused alike when revoked and when unknown, from the very next request', async () => {
    const call = createCall(await room.signUp())
    const { key, id } = await room.createKey(call)
    await room.authenticate(key)
    await room.handlers.revokeApiKey({ apiKeyId: id }, call)
    const revoked: unknown = await room.authenticate(key).catch((error: unknown) => error)
    const unknown: unknown = await room.authenticate('svc_sk_x').catch((error: unknown) => error)
    expect(revoked).toMatchObject({ code: 'API_KEY_INVALID' })
    expect(revoked).toEqual(unknown)
  })

  it('are never kept: no file holds one, nor its plain digest where there is a pepper', async () => {
    const pepperFile = room.file('pepper')
    fs.writeFileSync(pepperFile, `${'p'.repeat(32)}\n`)
    await room.open({ store: room.store('peppered.db'), apiKeyPepperFile: pepperFile })
    const { key } = await room.createKey(createCall(await room.signUp()))
    expect(await readErrorCode(room.authenticate(key))).toBe('OK')
    const kept = fs
      .readdirSync(room.folder)
      .map((name) => fs.readFileSync(room.file(name), 'latin1'))
      .join()
    expect(kept).toContain('Société'.slice(0, 3))
    expect(kept).not.toContain(key)
    expect(kept).not.toContain(digestApiKey(key).toString('latin1'))
    expect(kept).not.toContain(password)
  })

  it('are revoked twice with the same answer, and never by a stranger', async () => {
    const [owner, stranger] = [createCall(await room.signUp()), createCall(await room.signUp())]
    const { id, key } = await room.createKey(owner)
    const revoke = (call: Call, apiKeyId = id) => room.handlers.revokeApiKey({ apiKeyId }, call)
    expect(await readErrorCode(revoke(stranger))).toBe('API_KEY_NOT_FOUND')
    expect(await readErrorCode(revoke(owner, 'malformed'))).toBe('API_KEY_NOT_FOUND')
    expect(await readErrorCode(room.authenticate(key))).toBe('OK')
    const first = await revoke(owner)
    room.nowMs += 1000
    expect(await revoke(owner)).toEqual(first)
    const actions = (await room.listAudit(owner)).map(({ action }) => action)
    expect(actions).toEqual(['api-key.revoked', 'api-key.created', 'organization.created'])
  })

  it('are listed newest first without their secret, with their last use', async () => {
    const call = createCall(await room.signUp())
    const old = await room.createKey(call, 'old')
    room.nowMs += 1000
    const young = await room.createKey(call, 'young')
    room.nowMs += 1000
    await room.authenticate(old.key)
    const list = () => room.handlers.listApiKeys({}, call)
    const { apiKeys } = await list()
    expect(apiKeys.map(({ name }) => name)).toEqual(['young', 'old'])
    expect(apiKeys.map(({ lastUsedAt }) => lastUsedAt)).toEqual([
      undefined,
      new Date(room.nowMs).toISOString(),
    ])
    expect(JSON.stringify(apiKeys)).not.toContain(young.key)

    await room.open()
    expect(await list()).toEqual({ apiKeys })
  })

  it.each([
    ['', 'blank'],
    ['   ', 'blank'],
    ['x'.repeat(101), 'at most 100'],
    ['a\u0007', 'control'],
  ])('cannot be named %j', async (name, reason) => {
    const call = createCall(await room.signUp())
    await expect(room.handlers.createApiKey({ name }, call)).rejects.toMatchObject({
      code: 'VALIDATION_ERROR',
      fieldErrors: [{ field: 'name', message: expect.stringContaining(reason) as string }],
    })
    expect(await readErrorCode(room.createKey(call, 'x'.repeat(100)))).toBe('OK')
  })

  it('are at most a thousand in use, and more when one is revoked', async () => {
    const identity = await room.signUp()
    const call = createCall(identity)
    const { id } = await room.createKey(call)
    const more = limits.apiKeysPerOrganization - 1
    new Database(room.file('organizations.db')).exec(
      `WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${more})
       INSERT INTO api_key
       SELECT 'k' || i, '${identity.organizationId}', 'x', CAST('d' || i AS BLOB), '', '', NULL, NULL, NULL
       FROM n`,
    )
    await expect(room.createKey(call)).rejects.toMatchObject({
      code: 'VALIDATION_ERROR',
      fieldErrors: [
        { field: 'name', message: expect.stringContaining('revoke one first') as string },
      ],
    })
    await room.handlers.revokeApiKey({ apiKeyId: id }, call)
    expect(await readErrorCode(room.createKey(call))).toBe('OK')
    expect((await room.handlers.listApiKeys({}, call)).apiKeys).toHaveLength(more + 2)
  })
})
