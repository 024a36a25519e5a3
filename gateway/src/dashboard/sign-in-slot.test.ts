import { metrics } from '@einvoicing/runtime/metrics'
import { eventually } from '@einvoicing/servers/eventually'
import { fetchFrom, openForTest, type Answer } from '../testdata/open-gateway'
import { smallOrganizations } from '../testdata/small-services'

const credentials = { email: 'a@example.com', password: 'right password' }

const inFlight = async () => {
  const gauge = await metrics.getSingleMetric('einvoicing_requests_in_flight')?.get()
  return gauge?.values[0]?.value
}

it.each([
  ['/session', {}],
  ['/signup', { organizationName: 'Atlas' }],
])('a %s that waits for its password to be hashed holds no slot', async (path, more) => {
  let hashed = () => {}
  const turn = new Promise<void>((resolve) => (hashed = resolve))
  let waiting = 0
  const small = smallOrganizations()
  const wait = async () => {
    waiting += 1
    await turn
    return small.signIn(credentials as never, {} as never)
  }
  const gateway = await openForTest({}, { organizations: { ...small, signIn: wait, signUp: wait } })
  const answers = [1, 2, 3].map(() =>
    fetchFrom(gateway, `/dashboard/api${path}`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', 'X-Requested-With': 'dashboard' },
      body: JSON.stringify({ ...credentials, ...more }),
    }),
  )
  await eventually(() => expect(waiting).toBe(3))
  const gauge = metrics.getSingleMetric('einvoicing_requests_in_flight') as unknown as {
    set(value: number): void
  }
  gauge.set(-1)
  await eventually(async () => expect(await inFlight()).not.toBe(-1))
  expect(await inFlight()).toBe(0)
  hashed()
  for (const { status } of await Promise.all(answers)) expect(status).toBeLessThan(300)
  await gateway.close()
})

it('a flood of sign-ins is bounded, and leaves turns for other networks', async () => {
  // However slow the machine is: none of those that wait gives up.
  const timeout = jest
    .spyOn(AbortSignal, 'timeout')
    .mockImplementation(() => new AbortController().signal)
  let hashed = () => {}
  const turn = new Promise<void>((resolve) => (hashed = resolve))
  const small = smallOrganizations()
  const networks: string[] = []
  const signIn: typeof small.signIn = async (request, call) => {
    networks.push(request.clientAddress)
    await turn
    return small.signIn(request, call)
  }
  const gateway = await openForTest({ TRUST_PROXY: '1' }, { organizations: { ...small, signIn } })
  const rejected: Answer[] = []
  const send = async (network: string) => {
    const answer = await fetchFrom(gateway, '/dashboard/api/session', {
      method: 'POST',
      headers: {
        'Content-Type': 'application/json',
        'X-Requested-With': 'dashboard',
        'X-Forwarded-For': network,
      },
      body: JSON.stringify(credentials),
    })
    if (answer.status === 503) rejected.push(answer)
    return answer.status
  }
  // 200 are worked on, and as many wait.
  const flood = Array.from({ length: 401 }, () => send('192.0.2.1'))
  await eventually(() => expect(rejected).toHaveLength(1), 20_000)
  const other = send('198.51.100.1')
  await eventually(() => expect(rejected).toHaveLength(2), 20_000)
  expect(rejected[0]?.headers.get('retry-after')).toBe('1')
  expect(networks).toEqual(Array(200).fill('192.0.2.1'))
  hashed()
  expect(await other).toBe(200)
  const statuses = await Promise.all(flood)
  expect(statuses.filter((status) => status === 200)).toHaveLength(399)
  expect(networks.indexOf('198.51.100.1')).toBeLessThan(202)
  timeout.mockRestore()
  await gateway.close()
}, 60_000)
