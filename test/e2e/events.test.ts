import { EventReader } from '../stack/event-reader'
import { eventually } from '@einvoicing/servers/eventually'
import { requestJson, send } from '../stack/http'
import { finalStatuses } from '../stack/invoices'
import { onEveryOwnStack } from '../stack/on-every-stack'
import { newOrganization, signUp, type Organization } from '../stack/organization'
import { drawSeed, seededRandom } from '../stack/random'

onEveryOwnStack('the events', (stack) => {
  const seed = drawSeed('events')
  let organization: Organization
  const readers: EventReader[] = []
  beforeAll(async () => {
    organization = await newOrganization(stack())
  })
  afterEach(() => readers.splice(0).forEach((reader) => reader.close()))

  const listening = async (session = organization.session, lastEventId?: string) => {
    const reader = new EventReader(session, lastEventId)
    readers.push(reader)
    await eventually(async () => expect(reader.events[0]?.name).toBe('ready'))
    return reader
  }
  const readStatus = (reader: EventReader, id: string) => reader.statuses().get(id)

  test('follow an invoice to its decision, for its organization only', async () => {
    const reader = await listening()
    const stranger = await listening(await signUp(stack()))
    const made = await organization.invoices.created()
    await eventually(async () => expect(readStatus(reader, made.id)).toBe('ACCEPTED'))
    const last = reader.events.at(-1)!
    const { invoiceNumber, updatedAt } = await organization.invoices.decided(made.id)
    expect(last.data).toEqual({
      invoiceId: made.id,
      invoiceNumber,
      status: 'ACCEPTED',
      updatedAt,
    })
    expect(stranger.events.map(({ name }) => name)).toEqual(['ready'])
  })

  test('include drafts that are edited and cancelled', async () => {
    const draft = await organization.invoices.created({ draft: true })
    const reader = await listening()
    await organization.invoices.change(draft.id, { buyerName: 'Autre' })
    await eventually(async () => expect(readStatus(reader, draft.id)).toBe('PENDING'))
    await organization.invoices.cancel(draft.id)
    await eventually(async () => expect(readStatus(reader, draft.id)).toBe('CANCELLED'))
  })

  test(`continue without a gap when the reader’s network fails, under load (SEED=${seed})`, async () => {
    const random = seededRandom(seed)
    const reader = await listening()
    const made: string[] = []
    const work = Array.from({ length: 8 }, async () => {
      for (let count = 0; count < 10; count += 1) {
        made.push((await organization.invoices.created()).id)
      }
    })
    const done = Promise.all(work)
    let losses = 0
    const isDone = () => made.length === 80
    for (; !isDone(); losses += 1) {
      await new Promise((resolve) => setTimeout(resolve, random.int(200, 1_700)))
      reader.lose()
    }
    await done
    await eventually(async () => {
      const statuses = reader.statuses()
      expect(made.filter((id) => !statuses.has(id))).toEqual([])
      expect(made.filter((id) => !finalStatuses.includes(statuses.get(id) ?? ''))).toEqual([])
    }, 120_000)
    expect(losses).toBeGreaterThan(0)
    expect(reader.answered).toBeGreaterThan(1)
    const ready = reader.events.filter(({ name }) => name === 'ready')
    expect(ready.slice(1).filter(({ data }) => !data.resumed)).toEqual([])
  }, 180_000)

  test('five pages of a member get events; a sixth gets 429', async () => {
    const session = await signUp(stack())
    const pages = await Promise.all(Array.from({ length: 5 }, () => listening(session)))
    const rejected = await session.call('GET', '/events')
    expect([rejected.status, rejected.code, rejected.headers.get('retry-after')]).toEqual([
      ...[429, 'TOO_MANY_STREAMS', '30'],
    ])
    // Other members of the organization still get a stream.
    const colleague = await session.welcome('MEMBER')
    await listening(colleague)
    pages[0]?.close()
    await eventually(() => listening(session))
  })

  test('need a session', async () => {
    const url = `${stack().baseUrl}/dashboard/api/events`
    const none = await requestJson('GET', url, { key: organization.key.key })
    expect([none.status, none.code]).toEqual([401, 'SESSION_MISSING'])
    const query = await organization.session.call('GET', '/events?since=1')
    expect([query.status, query.code]).toEqual([400, 'VALIDATION_ERROR'])
    const head = await send('HEAD', url, { headers: { Cookie: organization.session.cookie } })
    expect([head.status, head.headers.get('content-type')]).toEqual([
      ...[200, 'text/event-stream; charset=utf-8'],
    ])
    const other = await organization.session.call('POST', '/events')
    expect([other.status, other.headers.get('allow')]).toEqual([405, 'GET, HEAD'])
  })
})
