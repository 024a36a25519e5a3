import { randomUUID } from 'node:crypto'
import {
  emailNotVerified,
  secondFactorRequired,
  sessionOver,
} from '@einvoicing/domain/account-errors'
import type { ApiError } from '@einvoicing/domain/api-error'
import type { Identity } from '@einvoicing/proto/organizations'
import type { Gateway } from '../service'
import { fetchFrom, openForTest, type RequestOptions } from '../testdata/open-gateway'
import { organizationId, smallOrganizations, userId } from '../testdata/small-services'

const openSession = (identity: Identity): Identity => ({
  ...identity,
  userId: currentUserId,
  sessionId: randomUUID(),
})

let gateway: Gateway
let memberError: ApiError | undefined
/** Of each test. */
let currentUserId: string

beforeAll(async () => {
  const organizations = smallOrganizations()
  gateway = await openForTest(
    { RATE_LIMIT_PER_MINUTE: '3' },
    {
      organizations: {
        ...organizations,
        signIn: async (...args) => openSession(await organizations.signIn(...args)),
        switchOrganization: async (...args) =>
          openSession(await organizations.switchOrganization(...args)),
        acceptInvitation: async (...args) =>
          openSession(await organizations.acceptInvitation(...args)),
        confirmSession: async () => ({ sessionId: randomUUID() }),
        authenticateMember: async (request, call) => {
          if (memberError) throw memberError
          return organizations.authenticateMember({ ...request, userId }, call)
        },
        endSession: async () => ({}),
      },
    },
  )
})
afterAll(() => gateway.close())
beforeEach(() => {
  memberError = undefined
  currentUserId = randomUUID()
})

const ours = { 'X-Requested-With': 'dashboard' }
const withBody = { ...ours, 'Content-Type': 'application/json' }

/** Calls in a session of its own, with the newest cookie: also after signing out. */
async function signIn() {
  const answer = await fetchFrom(gateway, '/dashboard/api/session', {
    method: 'POST',
    headers: withBody,
    body: JSON.stringify({ email: 'a@example.com', password: 'right password' }),
  })
  let Cookie = ''
  const readCookie = ({ headers }: { headers: Headers }) => {
    const [cookie] = /^session=[^;]+/.exec(headers.get('set-cookie') ?? '') ?? []
    Cookie = cookie ?? Cookie
  }
  readCookie(answer)
  return async (path: string, options: RequestOptions = {}) => {
    const headers = { ...options.headers, Cookie }
    const answered = await fetchFrom(gateway, `/dashboard/api${path}`, { ...options, headers })
    readCookie(answered)
    return answered
  }
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

const body = (fields: object) => ({
  method: 'POST',
  headers: withBody,
  body: JSON.stringify(fields),
})

test.each<[string, string, RequestOptions]>([
  ['switches the organization', '/session/organization', body({ organizationId })],
  ['is confirmed', '/session/confirm', body({ password: 'right password' })],
  ['accepts an invitation', '/invitation', invitation],
])('a session that %s continues with what is left', async (_, path, options) => {
  const call = await signIn()
  expect((await call('/session')).status).toBe(200)
  expect((await call(path, options)).headers.get('ratelimit')).toContain('r=1;')
  expect((await call('/session')).status).toBe(200)
  for (const again of [call(path, options), call('/session')]) {
    expect((await again).body.code).toBe('TOO_MANY_ATTEMPTS')
  }
})

test('the sessions of a user share the limit; another user has another', async () => {
  const calls = [await signIn(), await signIn()]
  for (const left of [2, 1, 0]) {
    const { headers } = await calls[left % 2]!('/session')
    expect(headers.get('ratelimit')).toContain(`r=${left};`)
  }
  for (const call of calls) expect((await call('/session')).body.code).toBe('TOO_MANY_ATTEMPTS')
  currentUserId = randomUUID()
  expect((await (await signIn())('/session')).status).toBe(200)
})
