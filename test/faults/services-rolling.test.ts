/**
 * A rolling update under load: of every service there are two, and each is asked to stop while the
 * other serves. A client who knows nothing of it sends no invoice more than twice, and nothing
 * is lost.
 */

import { describeWith } from '@einvoicing/servers/describe-with'
import { EventReader } from '../stack/event-reader'
import { eventually } from '@einvoicing/servers/eventually'
import { countSockets } from '../stack/kernel-sockets'
import { newOrganization } from '../stack/organization'
import { drawSeed, seededRandom } from '../stack/random'
import { backingServices, startServices, type Services } from '../stack/services'
import { expectNothingLost } from './nothing-lost'
import { createPersistently } from './persistent-load'
import { submissionTotal } from './record'

const withinMs = 60_000
const lanes = [
  ['organizations', 'invoices', 'signer'],
  ['artefacts', 'clearance', 'gateway'],
]

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

describeWith(backingServices, 'two of every service, updated one after the other', () => {
  let services: Services
  beforeAll(async () => {
    services = await startServices({ gateways: 2, instances: 2 })
  }, 180_000)
  afterAll(() => services.dispose())

  /** `services-2` has the ports of the first on the next address of loopback. */
  async function untilOpen(name: string): Promise<void> {
    const [service = '', number = '1'] = name.split('-')
    const health = (await services.ports())[`${service}Health`]
    const url =
      health === undefined
        ? services.urls[Number(number) - 1]!
        : `http://127.0.0.${number}:${health}`
    await eventually(
      async () => expect((await fetch(`${url}/servingz`)).status).toBe(200),
      withinMs,
    )
  }

  /** Its callers have found it again: as many are connected to it as to the other of its kind. */
  async function untilCalled(name: string): Promise<void> {
    const [service = '', number = '1'] = name.split('-')
    const port = (await services.ports())[service]
    if (port === undefined) return
    await eventually(() => {
      const [here, there] = number === '1' ? ([1, 2] as const) : ([2, 1] as const)
      const count = (host: number) => countSockets('ESTABLISHED', { host, port })
      expect(count(here)).toBeGreaterThanOrEqual(count(there))
    }, withinMs)
  }

  async function update(name: string): Promise<void> {
    await pause(500)
    const before = await services.pidOf(name)
    await services.signal(name, 'SIGTERM')
    await eventually(async () => {
      const now = await services.pidOf(name)
      if (now === undefined || now === before) throw new Error(`${name} is not there again`)
    }, withinMs)
    await untilOpen(name)
    await untilCalled(name)
  }

  const seed = drawSeed('services-rolling')
  test(`no invoice is sent more than twice (SEED=${seed})`, async () => {
    const random = seededRandom(seed)
    const organization = await newOrganization(services)
    const submittedBefore = await submissionTotal(services.simulatorUrl)
    const load = createPersistently({
      urls: services.urls,
      key: organization.key.key,
      random,
      connections: 4,
      pauseMs: 1_500,
    })
    // As two deployments are updated side by side.
    await Promise.all(
      lanes.map(async (lane) => {
        for (const name of random.shuffled(lane.flatMap((one) => [one, `${one}-2`]))) {
          await update(name)
        }
      }),
    )
    await eventually(async () => expect(load.sent.length).toBeGreaterThan(50))
    await load.stop()
    expect(load.cut).toEqual([])
    expect(load.sent.filter((outcomes) => outcomes.length > 2)).toEqual([])
    const made = await expectNothingLost(load, organization, 240_000)
    expect(await submissionTotal(services.simulatorUrl)).toBe(submittedBefore + made)
  }, 540_000)

  test('events continue after a kill of the invoices service, and at another gateway', async () => {
    const organization = await newOrganization(services)
    const [here, there] = services.urls as [string, string]
    const reader = new EventReader(organization.session)
    await eventually(async () => expect(reader.events[0]?.name).toBe('ready'))
    const reported = async (reader: EventReader, id: string) =>
      eventually(async () => expect(reader.statuses().get(id)).toBe('ACCEPTED'))

    const names = (await services.names()).filter((name) => /^invoices/.test(name))
    expect(names).toHaveLength(2)
    // Killed at once, they could be back before the next poll.
    for (const name of names) await services.signal(name, 'SIGSTOP')
    await eventually(async () => expect(reader.comments.join()).toContain('is unavailable'), 20_000)
    for (const name of names) await services.signal(name, 'SIGKILL')
    const made = await eventually(() => organization.invoices.created(), 60_000)
    await reported(reader, made.id)
    expect(reader.answered).toBe(1)
    reader.close()

    const later = await organization.invoices.created()
    const { session } = organization
    expect(session.baseUrl).toBe(here)
    const moved = Object.assign(Object.create(session) as typeof session, { baseUrl: there })
    const again = new EventReader(moved, reader.lastEventId)
    await reported(again, later.id)
    expect(again.events[0]).toMatchObject({ name: 'ready', data: { resumed: true } })
    again.close()
  }, 150_000)
})
