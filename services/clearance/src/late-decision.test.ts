import type { InvoiceEvent } from '@einvoicing/events/event'
import { startClearance, type AtWork } from './testdata/clearance-at-work'
import { signedEvent, xmlOf } from './testdata/signed'

const decidedAt = '2026-03-04T05:06:07.890Z'

let atWork: AtWork
beforeEach(async () => {
  atWork = await startClearance({ config: { requestDeadlineMs: 5_000 } })
  atWork.platform.decide = () => ({ status: 'ACCEPTED', decidedAt })
})
afterEach(() => atWork.close())

const failedEvent = (invoiceId: string): InvoiceEvent<'invoice.signed'> => {
  const event = signedEvent(invoiceId, { transmitted: true, failed: true })
  return { ...event, id: `${event.id}:asked:${decidedAt}` }
}

const hold = (invoiceId: string, xml = xmlOf(invoiceId).toString()) =>
  atWork.platform.kept.set(invoiceId, {
    submissionId: `s-${invoiceId}`,
    invoiceId,
    xml,
    receivedAt: decidedAt,
    reads: 0,
  })

it('tells the decision that came after all, with one question', async () => {
  hold('a')
  await atWork.bus.publish(failedEvent('a'))
  await atWork.ended('a')
  expect(atWork.told('a')).toEqual(['clearance.accepted'])
  expect(atWork.events[0]).toMatchObject({
    organizationid: 'organization-1',
    data: { reference: 'REF-a', decidedAt },
  })
  expect(atWork.asked()).toEqual(['find'])
})

it.each([
  ['does not know', () => undefined],
  ['has not decided', () => void hold('a')],
  ['holds as another document', () => void hold('a', '<Other/>')],
])('sends and tells nothing of what the platform %s', async (_, prepare) => {
  atWork.platform.decide = ({ xml }) =>
    xml === '<Other/>' ? { status: 'ACCEPTED', decidedAt } : { status: 'PROCESSING' }
  prepare()
  await atWork.bus.publish(failedEvent('a'))
  await atWork.until(() => atWork.asked().length === 1)
  await atWork.close()
  expect([atWork.asked(), atWork.told('a')]).toEqual([['find'], []])
})
