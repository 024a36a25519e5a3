import type { InvoiceEvent } from '@einvoicing/events/event'
import { startClearance, type AtWork } from './testdata/clearance-at-work'
import { answerWith } from './testdata/scripted-platform'
import { signedEvent, makeXml } from './testdata/signed'

const decidedAt = '2026-03-04T05:06:07.890Z'

let atWork: AtWork
beforeEach(async () => {
  atWork = await startClearance()
  atWork.platform.decide = () => ({ status: 'ACCEPTED', decidedAt })
})
afterEach(() => atWork.close())

const failedEvent = (invoiceId: string): InvoiceEvent<'invoice.signed'> => {
  const event = signedEvent(invoiceId, { transmitted: true, failed: true })
  return { ...event, id: `${event.id}:asked:${decidedAt}`, time: new Date().toISOString() }
}

const hold = (invoiceId: string, xml = makeXml(invoiceId).toString()) =>
  atWork.platform.submissions.set(invoiceId, {
    submissionId: `s-${invoiceId}`,
    invoiceId,
    xml,
    receivedAt: decidedAt,
    reads: 0,
  })

it('publishes a late decision, with one request', async () => {
  hold('a')
  await atWork.bus.publish(failedEvent('a'))
  await atWork.ended('a')
  expect(atWork.published('a')).toEqual(['clearance.accepted'])
  expect(atWork.events[0]).toMatchObject({
    organizationid: 'organization-1',
    data: { reference: 'REF-a', decidedAt, submittedAt: decidedAt },
  })
  expect(atWork.requestKinds()).toEqual(['find'])
})

it.each([
  ['does not have the invoice', () => undefined],
  ['has not decided', () => void hold('a')],
  ['has another document', () => void hold('a', '<Other/>')],
])('sends and publishes nothing when the platform %s', async (_, prepare) => {
  atWork.platform.decide = ({ xml }) =>
    xml === '<Other/>' ? { status: 'ACCEPTED', decidedAt } : { status: 'PROCESSING' }
  prepare()
  await atWork.bus.publish(failedEvent('a'))
  await atWork.until(() => atWork.requestKinds().length === 1)
  await atWork.close()
  expect([atWork.requestKinds(), atWork.published('a')]).toEqual([['find'], []])
})

describe('while the platform answers nothing usable', () => {
  beforeEach(async () => {
    await atWork.close()
    const breaker = { failingInvoicesMax: 1, openMs: 150 }
    atWork = await startClearance({ config: { breaker } })
    atWork.platform.failWith = () => answerWith(503)
  })

  const settled = () => new Promise((resolve) => setTimeout(resolve, 500))

  it('queries ten times, and what only waited in between does not count', async () => {
    await atWork.bus.publish(failedEvent('a'))
    await atWork.until(() => atWork.requestKinds().length === 10)
    await settled()
    expect(atWork.requestKinds()).toHaveLength(10)
  })

  it('leaves a query that is a day old to the next one', async () => {
    const time = new Date(Date.now() - 86_400_000).toISOString()
    await atWork.bus.publish({ ...failedEvent('a'), time })
    await atWork.until(() => atWork.requestKinds().length === 1)
    await settled()
    expect(atWork.requestKinds()).toHaveLength(1)
  })
})
