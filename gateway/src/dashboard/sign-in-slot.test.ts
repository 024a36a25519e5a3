import { metrics } from '@einvoicing/runtime/metrics'
import { eventually } from '@einvoicing/servers/eventually'
import { fetchFrom, openForTest } from '../testdata/open-gateway'
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
