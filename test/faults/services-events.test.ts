import { describeWith } from '@einvoicing/servers/describe-with'
import { EventReader } from '../stack/event-reader'
import { eventually } from '../stack/eventually'
import { newOrganization } from '../stack/organization'
import { backingServices, startServices, type Services } from '../stack/services'

describeWith(backingServices, 'events of services as processes', () => {
  let services: Services
  beforeAll(async () => {
    services = await startServices({ gateways: 2, instances: 2 })
  }, 120_000)
  afterAll(() => services.dispose(), 60_000)

  test('go on after a kill of the invoices service, and at another gateway', async () => {
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
