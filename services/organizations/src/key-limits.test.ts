import { randomUUID } from 'node:crypto'
import { digestApiKey } from '@einvoicing/access/api-key'
import type { Call } from '@einvoicing/rpc/call'
import {
  anonymous,
  createCall,
  OrganizationsUnderTest,
  readErrorCode,
} from './testdata/organizations-under-test'

const dayMs = 24 * 60 * 60_000

let underTest: OrganizationsUnderTest
let call: Call
beforeEach(async () => {
  underTest = new OrganizationsUnderTest()
  await underTest.open()
  call = createCall(await underTest.signUp('a@example.com'))
})
afterEach(() => underTest.remove())

const network = '192.0.2.1'
const inDays = (days: number) => new Date(underTest.nowMs + days * dayMs).toISOString()
const list = async () => (await underTest.handlers.listApiKeys({}, call)).apiKeys

it('a key with limits is returned to gateways that enforce limits only', async () => {
  const limits = { scopes: ['invoices:read'], allowedNetworks: ['192.0.2.0/24'] }
  const { key } = await underTest.createKey(call, 'Reports', limits)
  expect(await underTest.authenticate(key, network)).toMatchObject(limits)
  expect(await readErrorCode(underTest.authenticate(key))).toBe('API_KEY_INVALID')
  const keysSha256 = [digestApiKey(key)]
  const older = await underTest.handlers.authenticateKeys(
    { keysSha256, clientNetworks: [] },
    anonymous,
  )
  expect(older.answers[0]?.error?.code).toBe('API_KEY_INVALID')
  const [entry] = await underTest.listAudit(call)
  expect(entry?.detail).toContain('invoices:read, 192.0.2.0/24')
})

it('a key without limits is accepted from a gateway of an older version', async () => {
  const { key } = await underTest.createKey(call)
  expect(await underTest.authenticate(key)).toMatchObject({ scopes: [], allowedNetworks: [] })
})

it('a key works until the moment it expires, and the error says when', async () => {
  const { key, id } = await underTest.createKey(call, 'CI', { expiresAt: inDays(1) })
  underTest.nowMs += dayMs - 1
  expect(await readErrorCode(underTest.authenticate(key))).toBe('OK')
  underTest.nowMs += 1
  await expect(underTest.authenticate(key)).rejects.toMatchObject({
    code: 'API_KEY_INVALID',
    message: expect.stringContaining('expired at 2026-05-04T10:00:00.000Z'),
  })
  const shown = (await list()).find((one) => one.id === id)
  expect(shown?.lastUsedAt).toBe(new Date(underTest.nowMs - 1).toISOString())
})

it('the last use is shown with its network, before it is written too', async () => {
  const { key, id } = await underTest.createKey(call)
  await underTest.authenticate(key, network)
  expect(await list()).toMatchObject([{ id, lastUsedNetwork: network }])
  await underTest.open()
  expect(await list()).toMatchObject([{ id, lastUsedNetwork: network }])
})

it.each([
  ['192.0.2.0/24', '192.0.2.9', '198.51.100.7'],
  ['192.0.2.9', '192.0.2.9', '192.0.2.10'],
  ['2001:db8::/32', '2001:db8:0:1::/64', '2001:db9:0:1::/64'],
  ['2001:db8::1:0:0:0:0/65', '2001:db8:0:1::/64', '2001:db8:0:2::/64'],
  ['2001:db8:0:1::7', '2001:db8:0:1::/64', '192.0.2.9'],
])('of a key for %s, a use from %s is shown, none from %s', async (allowed, inside, outside) => {
  const { key, id } = await underTest.createKey(call, 'ERP', { allowedNetworks: [allowed] })
  // The gateway rejects the request: it alone has the whole address.
  expect(await readErrorCode(underTest.authenticate(key, outside))).toBe('OK')
  expect((await list())[0]).toMatchObject({ id, lastUsedAt: undefined, lastUsedNetwork: undefined })
  await underTest.authenticate(key, inside)
  underTest.nowMs += 60_000
  await underTest.authenticate(key, outside)
  const used = { lastUsedAt: new Date(underTest.nowMs - 60_000).toISOString() }
  expect((await list())[0]).toMatchObject({ ...used, lastUsedNetwork: inside })
})

it.each([
  [{ scopes: ['invoices:delete'] }, 'scopes', 'must contain only invoices:read, invoices:write'],
  [
    { expiresAt: '2026-05-03T10:00:00Z' },
    'expiresAt',
    'must be later than now, and at most 10 years ahead',
  ],
  [
    { expiresAt: '2036-05-03T10:00:01Z' },
    'expiresAt',
    'must be later than now, and at most 10 years ahead',
  ],
  [{ expiresAt: 'soon' }, 'expiresAt', 'must be later than now, and at most 10 years ahead'],
  [
    { allowedNetworks: ['192.0.2.1', '192.0.2.0/33'] },
    'allowedNetworks[1]',
    'must be an IP address or a network such as 192.0.2.0/24',
  ],
  [
    { allowedNetworks: Array<string>(21).fill('::1') },
    'allowedNetworks',
    'must have at most 20 entries',
  ],
])('limits %p are rejected', async (limits, field, message) => {
  await expect(underTest.createKey(call, 'CI', limits)).rejects.toMatchObject({
    code: 'VALIDATION_ERROR',
    fieldErrors: [{ field, message }],
  })
})

it.each([
  { expiresAt: '2036-05-03T10:00:00Z' },
  { allowedNetworks: Array<string>(20).fill('::1') },
])('limits %p are accepted', async (limits) => {
  expect((await underTest.createKey(call, 'CI', limits)).id).toBeTruthy()
})

describe('a rotated key', () => {
  const rotate = (apiKeyId: string, name = '', overlapSeconds = 3600) =>
    underTest.handlers.rotateApiKey({ apiKeyId, name, overlapSeconds }, call)

  it('passes its limits on and works until the overlap ends', async () => {
    const limits = { scopes: ['invoices:read'], allowedNetworks: ['192.0.2.0/24'] }
    const old = await underTest.createKey(call, 'ERP', { ...limits, expiresAt: inDays(30) })
    underTest.nowMs += 60_000
    const made = await rotate(old.id)
    expect(made.apiKey).toMatchObject({ name: 'ERP', ...limits, expiresAt: inDays(30) })
    expect(await readErrorCode(underTest.authenticate(made.key, network))).toBe('OK')
    underTest.nowMs += 3_600_000 - 1
    expect(await readErrorCode(underTest.authenticate(old.key, network))).toBe('OK')
    underTest.nowMs += 1
    expect(await readErrorCode(underTest.authenticate(old.key, network))).toBe('API_KEY_INVALID')
    expect(await readErrorCode(underTest.authenticate(made.key, network))).toBe('OK')
    const [entry] = await underTest.listAudit(call)
    expect(entry).toMatchObject({ action: 'api-key.rotated' })
    expect(entry?.detail).not.toContain(made.key)
  })

  it.each([undefined, 30])(
    'passes on the same lifetime when rotated again: %p days',
    async (days) => {
      const expiresAt = days === undefined ? undefined : inDays(days)
      const old = await underTest.createKey(
        call,
        'ERP',
        expiresAt === undefined ? {} : { expiresAt },
      )
      for (let rotated = 0; rotated < 2; rotated += 1) {
        underTest.nowMs += 60_000
        const { apiKey } = await rotate(old.id)
        expect(apiKey?.expiresAt).toBe(days === undefined ? undefined : inDays(days))
      }
    },
  )

  it('is found only in its organization; its name may be used elsewhere', async () => {
    const old = await underTest.createKey(call, 'ERP')
    expect((await rotate(old.id, ' ERP (2) ')).apiKey?.name).toBe('ERP (2)')
    expect(await readErrorCode(rotate(randomUUID()))).toBe('API_KEY_NOT_FOUND')
    call = createCall(await underTest.signUp())
    expect(await readErrorCode(rotate(old.id))).toBe('API_KEY_NOT_FOUND')
  })

  it('must still work', async () => {
    const expiresAt = new Date(underTest.nowMs + 60_000).toISOString()
    const expired = await underTest.createKey(call, 'ERP', { expiresAt })
    const revoked = await underTest.createKey(call, 'ERP')
    await underTest.handlers.revokeApiKey({ apiKeyId: revoked.id }, call)
    underTest.nowMs += 60_000
    for (const { id } of [expired, revoked]) {
      await expect(rotate(id)).rejects.toMatchObject({
        code: 'API_KEY_NOT_FOUND',
        message:
          'This API key has expired or was revoked, and cannot be rotated. Create a new key instead.',
      })
    }
  })
})
