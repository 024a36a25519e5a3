import type { Authentication } from '@einvoicing/proto/organizations'
import type { Gateway } from './service'
import { fetchFrom, openForTest } from './testdata/open-gateway'
import { apiKey, smallOrganizations } from './testdata/small-services'

const organizations = smallOrganizations()
let keyFields: Partial<Authentication>
let gateway: Gateway

beforeAll(async () => {
  gateway = await openForTest(
    { RATE_LIMIT_PER_MINUTE: '20', TRUST_PROXY: 'loopback' },
    {
      organizations: {
        ...organizations,
        authenticate: async (...args) => ({
          ...(await organizations.authenticate(...args)),
          ...keyFields,
        }),
      },
    },
  )
})
afterAll(() => gateway.close())

test.each([
  ['POST', '/v1/verify', 'UNSUPPORTED_MEDIA_TYPE'],
  ['POST', '/v1/verify/', 'UNSUPPORTED_MEDIA_TYPE'],
  ['POST', '/v1/verify//', 'UNSUPPORTED_MEDIA_TYPE'],
  ['POST', '/v1/invoices/preview', 'VALIDATION_ERROR'],
  ['POST', '/v1/invoices/preview/', 'VALIDATION_ERROR'],
  ['POST', '/v1/invoices', 'INSUFFICIENT_SCOPE'],
  ['POST', '/v1/invoices/', 'INSUFFICIENT_SCOPE'],
  ['PUT', '/v1/verify/', 'METHOD_NOT_ALLOWED'],
  ['POST', '/v1/verify/other', 'INSUFFICIENT_SCOPE'],
])('a key that may only read gets for %s %s: %s', async (method, path, code) => {
  keyFields = { scopes: ['invoices:read'] }
  const { body } = await fetchFrom(gateway, path, { method })
  expect(body.code).toBe(code)
})

test('requests from a network that is not allowed have a limit of their own', async () => {
  keyFields = { apiKeyId: 'key-2', allowedNetworks: ['192.0.2.0/24'] }
  const listFrom = async (address: string) => {
    const headers = { 'X-Forwarded-For': address, Authorization: `Bearer ${apiKey}` }
    const answer = await fetchFrom(gateway, '/v1/invoices', { headers })
    return [answer.status, answer.body.code, answer.headers.get('ratelimit')?.split(';')[1]]
  }
  expect(await listFrom('192.0.2.1')).toEqual([200, 'OK', 'r=19'])
  for (let left = 19; left >= 0; left -= 1)
    expect(await listFrom('198.51.100.1')).toEqual([403, 'FORBIDDEN', `r=${left}`])
  expect(await listFrom('198.51.100.1')).toEqual([429, 'API_KEY_RATE_LIMITED', 'r=0'])

  // Neither another network's nor the limit of the owner.
  expect(await listFrom('198.51.100.2')).toEqual([403, 'FORBIDDEN', 'r=19'])
  expect(await listFrom('192.0.2.1')).toEqual([200, 'OK', 'r=18'])
})
