import { randomUUID } from 'node:crypto'
import {
  emailNotVerified,
  secondFactorRequired,
  sessionOver,
} from '@einvoicing/domain/account-errors'
import type { ApiError } from '@einvoicing/domain/api-error'
import type { Gateway } from '../service'
import { fetchFrom, openForTest, type RequestOptions } from '../testdata/open-gateway'
import { smallOrganizations } from '../testdata/small-services'

let gateway: Gateway
let memberError: ApiError | undefined

beforeAll(async () => {
  const organizations = smallOrganizations()
  gateway = await openForTest(
    { RATE_LIMIT_PER_MINUTE: '3' },
    {
      organizations: {
        ...organizations,
        signIn: async (...args) => ({
          ...(await organizations.signIn(...args)),
          sessionId: randomUUID(),
        }),
        authenticateMember: async (...args) => {
          if (memberError) throw memberError
          return organizations.authenticateMember(...args)
        },
        endSession: async () => ({}),
      },
    },
  )
})
afterAll(() => gateway.close())
beforeEach(() => {
  memberError = undefined
})

const ours = { 'X-Requested-With': 'dashboard' }
const withBody = { ...ours, 'Content-Type': 'application/json' }

/** Calls in a session of its own. */
async function signIn() {
  const answer = await fetchFrom(gateway, '/dashboard/api/session', {
    method: 'POST',
    headers: withBody,
    body: JSON.stringify({ email: 'a@example.com', password: 'right password' }),
  })
  const Cookie = String(answer.headers.get('set-cookie')).split(';')[0] ?? ''
  return (path: string, options: RequestOptions = {}) =>
    fetchFrom(gateway, `/dashboard/api${path}`, {
      ...options,
      headers: { ...options.headers, Cookie },
    })
}

const invitation = { method: 'POST', headers: withBody, body: '{"token":"a-token"}' }

test.each<[string, string, RequestOptions]>([
  ['reading the user', '/session', {}],
  ['signing out', '/session', { method: 'DELETE', headers: ours }],
  ['accepting an invitation', '/invitation', invitation],
  ['listing invoices', '/invoices', {}],
  ['an unknown path', '/nowhere', {}],
])('%s takes one request of the session', async (_, path, options) => {
  const call = await signIn()
  for (const left of [2, 1, 0]) {
    const { headers } = await call(path, options)
    expect(headers.get('ratelimit-policy')).toBe('"default";q=3;w=60')
    expect(headers.get('ratelimit')).toMatch(new RegExp(`^"default";r=${left};t=\\d+$`))
  }
  const { status, body } = await call(path, options)
  expect([status, body.code]).toEqual([429, 'TOO_MANY_ATTEMPTS'])
})

const switched = { 'X-Organization-Id': '00000000-0000-4000-8000-000000000000' }

test.each<[string, ApiError | undefined, Record<string, string>]>([
  ['EMAIL_NOT_VERIFIED', emailNotVerified(), {}],
  ['SECOND_FACTOR_REQUIRED', secondFactorRequired(), {}],
  ['SESSION_INVALID', sessionOver(), {}],
  ['ORGANIZATION_SWITCHED', undefined, switched],
])('a request answered %s takes one of the session', async (code, error, headers) => {
  const call = await signIn()
  memberError = error
  for (const path of ['/session', '/organization', '/session']) {
    expect((await call(path, { headers })).body.code).toBe(code)
  }
  for (const path of ['/session', '/organization']) {
    expect((await call(path, { headers })).body.code).toBe('TOO_MANY_ATTEMPTS')
  }
})

test('a request without the header of the dashboard takes none', async () => {
  const call = await signIn()
  for (let times = 0; times < 4; times += 1) {
    expect((await call('/session', { method: 'DELETE' })).body.code).toBe('CSRF_REFUSED')
  }
  expect((await call('/session')).headers.get('ratelimit')).toContain('r=2;')
})
