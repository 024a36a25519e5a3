import { setTimeout } from 'node:timers/promises'
import { apiKeyExpired, apiKeyInvalid, toApiKey, digestApiKey } from '@einvoicing/access/api-key'
import type { Gateway } from '../service'
import { fetchFrom, openForTest } from '../testdata/open-gateway'
import { apiKey, smallOrganizations } from '../testdata/small-services'

let gateway: Gateway
afterEach(() => gateway.close())

const inventedKey = (at: number) => toApiKey(String(at).padStart(43, '0'))

test('unknown keys are looked up sixty times a minute per network', async () => {
  let lookUps = 0
  let revoked = false
  const organizations = smallOrganizations()
  gateway = await openForTest(
    {},
    {
      organizations: {
        ...organizations,
        authenticate: async (request, call) => {
          lookUps += 1
          if (revoked) throw apiKeyInvalid()
          return organizations.authenticate(request, call)
        },
      },
    },
  )
  const list = (key: string) =>
    fetchFrom(gateway, '/v1/invoices', { headers: { Authorization: `Bearer ${key}` } })
  expect((await list(apiKey)).status).toBe(200)
  for (let at = 0; at < 60; at += 1) {
    // Each counts once: a program that goes on with a wrong key shuts no other out.
    for (let time = 0; time < 2; time += 1) {
      const { status, body } = await list(inventedKey(at))
      expect([status, body.code]).toEqual([401, 'API_KEY_INVALID'])
    }
  }
  expect(lookUps).toBe(61)

  const refused = await list(inventedKey(60))
  expect([refused.status, refused.body.code]).toEqual([429, 'API_KEY_RATE_LIMITED'])
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
  expect(lookUps).toBe(61)

  // A key that was good lately is looked up as ever, from the same network too...
  expect((await list(apiKey)).status).toBe(200)
  expect(lookUps).toBe(62)
  // ...so that its revocation counts at once.
  revoked = true
  expect((await list(apiKey)).status).toBe(401)
  expect((await list(apiKey)).status).toBe(401)
  expect(lookUps).toBe(63)
})

const revokedKey = inventedKey(1)

/** Whose organizations reject `revokedKey` after `lookUpMs`. */
function openWithRevoked(lookUpMs: number): Promise<Gateway> {
  const organizations = smallOrganizations()
  const digest = digestApiKey(revokedKey)
  const authenticate: typeof organizations.authenticate = async (request, call) => {
    if (!digest.equals(request.keySha256)) return organizations.authenticate(request, call)
    if (lookUpMs > 0) await setTimeout(lookUpMs)
    throw apiKeyInvalid()
  }
  return openForTest({}, { organizations: { ...organizations, authenticate } })
}

test('a revoked key in constant use does not block its replacement', async () => {
  gateway = await openWithRevoked(0)
  const list = (key: string) =>
    fetchFrom(gateway, '/v1/invoices', { headers: { Authorization: `Bearer ${key}` } })
  const statuses = await Promise.all(Array.from({ length: 200 }, () => list(revokedKey)))
  expect(new Set(statuses.map(({ status }) => status))).toEqual(new Set([401]))
  expect((await list(apiKey)).status).toBe(200)
})

test('a revoked key of which many requests wait for one look-up counts once', async () => {
  gateway = await openWithRevoked(200)
  const request = (url: string, key: string) =>
    fetchFrom(gateway, url, { headers: { Authorization: `Bearer ${key}` } })
  const requests = Array.from({ length: 70 })
  // Opens the connections, so that all requests arrive before the look-up ends.
  await Promise.all(requests.map(() => request('/livez', '')))
  const answers = await Promise.all(requests.map(() => request('/v1/invoices', revokedKey)))
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([401]))
  expect((await request('/v1/invoices', apiKey)).status).toBe(200)
})

test('an expired key is answered when it expired, each time', async () => {
  const organizations = smallOrganizations()
  gateway = await openForTest(
    {},
    {
      organizations: {
        ...organizations,
        authenticate: async () => {
          throw apiKeyExpired('2026-01-31T18:00:00Z')
        },
      },
    },
  )
  for (let time = 0; time < 3; time += 1) {
    const headers = { Authorization: `Bearer ${inventedKey(1)}` }
    const { status, body } = await fetchFrom(gateway, '/v1/invoices', { headers })
    expect([status, body.code]).toEqual([401, 'API_KEY_INVALID'])
    expect(body.message).toContain('expired at 2026-01-31T18:00:00Z')
  }
})

test('a user has the rate limit of a key, with the same headers', async () => {
  gateway = await openForTest({ RATE_LIMIT_PER_MINUTE: '3' })
  const signIn = async () => {
    const answer = await fetchFrom(gateway, '/dashboard/api/session', {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', 'X-Requested-With': 'dashboard' },
      body: JSON.stringify({ email: 'a@example.com', password: 'right password' }),
    })
    return String(answer.headers.get('set-cookie')).split(';')[0] ?? ''
  }
  const Cookie = await signIn()
  const read = () => fetchFrom(gateway, '/dashboard/api/organization', { headers: { Cookie } })
  for (const left of [2, 1, 0]) {
    const { status, headers } = await read()
    expect(status).toBe(200)
    expect(headers.get('ratelimit-policy')).toBe('"default";q=3;w=60')
    expect(headers.get('ratelimit')).toMatch(new RegExp(`^"default";r=${left};t=\\d+$`))
  }
  const refused = await read()
  expect([refused.status, refused.body.code]).toEqual([429, 'TOO_MANY_ATTEMPTS'])
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
  expect(refused.body.message).toMatch(
    /^Your sessions have together reached their limit of 3 requests per minute\. Try again in \d+ seconds\.$/,
  )
  // Counted apart from keys.
  expect((await fetchFrom(gateway, '/v1/invoices')).status).toBe(200)
})
