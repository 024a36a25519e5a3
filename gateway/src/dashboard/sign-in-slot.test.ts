import { createLog } from '@einvoicing/runtime/log'
import { metrics } from '@einvoicing/runtime/metrics'
import { eventually } from '@einvoicing/servers/eventually'
import type { Gateway } from '../service'
import { fetchFrom, openForTest, type Answer, type RequestOptions } from '../testdata/open-gateway'
import { smallOrganizations } from '../testdata/small-services'

const credentials = { email: 'a@example.com', password: 'right password' }
const newPassword = 'another password'
const code = '123456'
const token = 'a-token'
const passkey = {
  id: 'AAAA',
  rawId: 'AAAA',
  type: 'public-key',
  response: { clientDataJSON: 'AAAA', attestationObject: 'AAAA' },
  clientExtensionResults: {},
}

const readMetric = async (name: string) => {
  const metric = await metrics.getSingleMetric(name)?.get()
  return metric?.values[0]?.value ?? 0
}
const inFlight = () => readMetric('einvoicing_requests_in_flight')
const rejections = () => readMetric('einvoicing_overload_refusals_total')

function send(gateway: Gateway, path: string, body: object, options: RequestOptions = {}) {
  return fetchFrom(gateway, `/dashboard/api${path}`, {
    method: 'POST',
    body: JSON.stringify(body),
    ...options,
    headers: {
      'Content-Type': 'application/json',
      'X-Requested-With': 'dashboard',
      ...options.headers,
    },
  })
}

const halfOpen = 'session=half-open.a-half-open'

let gateway: Gateway
let hashed = () => {}
let turn: Promise<void>
beforeEach(() => {
  turn = new Promise((resolve) => (hashed = resolve))
})
afterEach(async () => {
  hashed()
  await gateway.close()
})

it.each([
  ['signIn', 'POST', '/session', credentials],
  ['signUp', 'POST', '/signup', { ...credentials, organizationName: 'Atlas' }],
  ['completeSignIn', 'POST', '/session/second-factor', { recoveryCode: code }],
  ['acceptInvitation', 'POST', '/invitation', { token, password: newPassword }],
  ['resetPassword', 'POST', '/password/reset', { token, password: newPassword }],
  ['verifyEmail', 'POST', '/email/verify', { token, password: credentials.password }],
  ['confirmSession', 'POST', '/session/confirm', { password: credentials.password }],
  ['changePassword', 'PUT', '/password', { currentPassword: credentials.password, newPassword }],
  ['confirmTotp', 'PUT', '/totp', { code }],
  ['renewRecoveryCodes', 'POST', '/recovery-codes', {}],
  ['addPasskey', 'POST', '/passkeys', { name: 'Phone', passkey }],
] as const)('%s holds no slot while it waits for a hash', async (name, method, path, body) => {
  const organizations = smallOrganizations()
  gateway = await openForTest({}, { organizations })
  const signedIn = await send(gateway, '/session', credentials)
  const [session = ''] = String(signedIn.headers.get('set-cookie')).split(';')
  let waiting = 0
  const answer = organizations[name] as (...sent: unknown[]) => unknown
  const wait = async (...sent: unknown[]) => {
    waiting += 1
    await turn
    return answer(...sent)
  }
  Object.assign(organizations, { [name]: wait })
  const options = { method, headers: { Cookie: name === 'completeSignIn' ? halfOpen : session } }
  const answers = [1, 2, 3].map(() => send(gateway, path, body, options))
  await eventually(() => expect(waiting).toBe(3))
  const gauge = metrics.getSingleMetric('einvoicing_requests_in_flight') as unknown as {
    set(value: number): void
  }
  gauge.set(-1)
  await eventually(async () => expect(await inFlight()).not.toBe(-1))
  expect(await inFlight()).toBe(0)
  hashed()
  for (const { status } of await Promise.all(answers)) expect(status).toBeLessThan(300)
})

interface Logged {
  level: string
  msg: string
  status?: number
}

describe('a flood of sign-ins', () => {
  let networks: string[]
  let rejected: Answer[]
  let logged: Logged[]
  let rejectionsBefore: number

  beforeEach(async () => {
    // However slow the machine is: none of those that wait gives up.
    jest.spyOn(AbortSignal, 'timeout').mockImplementation(() => new AbortController().signal)
    const small = smallOrganizations()
    networks = []
    rejected = []
    logged = []
    const signIn: typeof small.signIn = async (request, call) => {
      networks.push(request.clientAddress)
      await turn
      return small.signIn(request, call)
    }
    gateway = await openForTest(
      { TRUST_PROXY: '1' },
      {
        organizations: { ...small, signIn },
        log: createLog('info', { write: (line) => void logged.push(JSON.parse(line) as Logged) }),
      },
    )
    rejectionsBefore = await rejections()
  })
  afterEach(() => jest.restoreAllMocks())

  const signInFrom = async (network: string, signal?: AbortSignal) => {
    const headers = { 'X-Forwarded-For': network }
    const answer = await send(gateway, '/session', credentials, {
      headers,
      ...(signal && { signal }),
    })
    if (answer.status === 503) rejected.push(answer)
    return answer.status
  }
  const flood = (count: number, signal?: AbortSignal) =>
    Array.from({ length: count }, () => signInFrom('192.0.2.1', signal))

  it('is bounded, counted, logged once, and leaves turns for other networks', async () => {
    // 200 are worked on, and as many wait.
    const sent = flood(401)
    await eventually(() => expect(rejected).toHaveLength(1), 20_000)
    const other = signInFrom('198.51.100.1')
    await eventually(() => expect(rejected).toHaveLength(2), 20_000)
    expect(rejected[0]?.headers.get('retry-after')).toBe('1')
    expect(networks).toEqual(Array(200).fill('192.0.2.1'))
    expect((await rejections()) - rejectionsBefore).toBe(2)
    expect(logged.filter(({ level }) => level === 'warn')).toEqual([
      expect.objectContaining({ msg: 'queue overloaded: rejecting requests', queue: 'passwords' }),
    ])
    hashed()
    expect(await other).toBe(200)
    const statuses = await Promise.all(sent)
    expect(statuses.filter((status) => status === 200)).toHaveLength(399)
    expect(networks.indexOf('198.51.100.1')).toBeLessThan(202)
  }, 60_000)

  it('leaves turns for other networks when one site sends from many', async () => {
    const sent = Array.from({ length: 401 }, (_, index) =>
      signInFrom(`2001:db8:1:${index.toString(16)}::1`),
    )
    await eventually(() => expect(rejected).toHaveLength(1), 20_000)
    const other = signInFrom('198.51.100.1')
    await eventually(() => expect(rejected).toHaveLength(2), 20_000)
    hashed()
    expect(await other).toBe(200)
    const statuses = await Promise.all(sent)
    expect(statuses.filter((status) => status === 200)).toHaveLength(399)
  }, 60_000)

  it('leaves no clients in the queue that have left', async () => {
    const worked = flood(200)
    await eventually(() => expect(networks).toHaveLength(200), 20_000)
    const leave = new AbortController()
    const left = flood(201, leave.signal).map((status) => status.catch(() => undefined))
    await eventually(() => expect(rejected).toHaveLength(1), 20_000)
    leave.abort()
    await Promise.all(left)
    const countLeft = () => logged.filter(({ status }) => status === 499).length
    await eventually(() => expect(countLeft()).toBe(200), 20_000)
    const next = flood(201)
    await eventually(() => expect(rejected).toHaveLength(2), 20_000)
    hashed()
    const statuses = await Promise.all([...worked, ...next])
    expect(statuses.filter((status) => status === 200)).toHaveLength(400)
    expect((await rejections()) - rejectionsBefore).toBe(2)
  }, 60_000)
})
