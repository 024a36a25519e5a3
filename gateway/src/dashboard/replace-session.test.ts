import type { OrganizationsService } from '@einvoicing/proto/organizations'
import type { Service } from '@einvoicing/rpc/call'
import { unavailable } from '@einvoicing/domain/api-error'
import type { Gateway } from '../service'
import { fetchFrom, openForTest } from '../testdata/open-gateway'
import { smallOrganizations } from '../testdata/small-services'

const account = { organizationName: 'Atlas', email: 'a@example.com', password: 'right password' }
const { organizationName: _, ...credentials } = account
const passkey = {
  id: 'AAAA',
  rawId: 'AAAA',
  type: 'public-key',
  response: { clientDataJSON: 'AAAA', authenticatorData: 'AAAA', signature: 'AAAA' },
  clientExtensionResults: {},
}
const accepted = { token: 'a-token', password: account.password }

let gateway: Gateway
let ended: unknown[]
const organizations = smallOrganizations()

beforeAll(async () => {
  gateway = await openForTest({}, { organizations })
})
afterAll(() => gateway.close())

function answerWith(overrides: Partial<Service<OrganizationsService>> = {}): void {
  ended = []
  Object.assign(organizations, smallOrganizations(), {
    endSession: async (...[request, { caller }]: Parameters<typeof organizations.endSession>) => {
      ended.push({ ...request, caller })
      return {}
    },
    ...overrides,
  })
}

async function post(path: string, body: object, Cookie = '') {
  const answer = await fetchFrom(gateway, `/dashboard/api${path}`, {
    method: 'POST',
    headers: {
      'Content-Type': 'application/json',
      'X-Requested-With': 'dashboard',
      ...(Cookie && { Cookie }),
    },
    body: JSON.stringify(body),
  })
  const [cookie = ''] = String(answer.headers.get('set-cookie')).split(';')
  return { ...answer, cookie }
}

const halfOpen = async () => {
  const { signIn } = smallOrganizations()
  return { ...(await signIn({ ...credentials } as never, {} as never)), halfOpen: 'a-half-open' }
}

const ways: [string, string, object, Partial<Service<OrganizationsService>>][] = [
  ['a sign-up', '/signup', account, {}],
  ['a sign-in', '/session', credentials, {}],
  ['a sign-in with a passkey', '/session/passkey', { passkey }, {}],
  ['an invitation accepted by password', '/invitation', accepted, {}],
  ['a sign-in that needs a second factor', '/session', credentials, { signIn: halfOpen }],
  [
    'an invitation that needs a second factor',
    '/invitation',
    accepted,
    { acceptInvitation: halfOpen },
  ],
]

describe.each(ways)('%s', (_name, path, body, overrides) => {
  test('ends the session of the cookie that it replaces', async () => {
    answerWith(overrides)
    const { cookie } = await post('/signup', account)
    const answer = await post(path, body, cookie)
    expect(answer.body.code).toBe('OK')
    expect(answer.cookie).toMatch(/^session=./)
    expect(ended).toMatchObject([
      { userId: expect.any(String), caller: { actor: 'user:a@example.com' } },
    ])
  })

  test('succeeds when that session cannot be ended', async () => {
    answerWith({ ...overrides, endSession: () => Promise.reject(unavailable('The store')) })
    const { cookie } = await post('/signup', account)
    const answer = await post(path, body, cookie)
    expect(answer.body.code).toBe('OK')
    expect(answer.cookie).toMatch(/^session=./)
  })

  test('ends no session without one', async () => {
    answerWith(overrides)
    expect((await post(path, body)).body.code).toBe('OK')
    expect(ended).toEqual([])
  })
})

test('the second factor replaces its half-open session, which is none to end', async () => {
  answerWith({ signIn: halfOpen })
  const half = await post('/session', credentials)
  expect(half.cookie).toBe('session=half-open.a-half-open')
  const { body, cookie } = await post('/session/second-factor', { code: '123456' }, half.cookie)
  expect(body.code).toBe('OK')
  expect(cookie).toMatch(/^session=[^.]+\.[^.]+\.[^.]+$/)
  expect(ended).toEqual([])
})

test('an invitation accepted in a session switches it: the organizations service ends it', async () => {
  answerWith()
  const { cookie } = await post('/signup', account)
  expect((await post('/invitation', { token: 'a-token' }, cookie)).body.code).toBe('OK')
  expect(ended).toEqual([])
})

test('signing out fails, with the cookie as it is, when the session cannot be ended', async () => {
  answerWith({ endSession: () => Promise.reject(unavailable('The store')) })
  const { cookie } = await post('/signup', account)
  const answer = await fetchFrom(gateway, '/dashboard/api/session', {
    method: 'DELETE',
    headers: { 'X-Requested-With': 'dashboard', Cookie: cookie },
  })
  expect(answer.body.code).toBe('SERVICE_UNAVAILABLE')
  expect(answer.headers.get('set-cookie')).toBeNull()
})
