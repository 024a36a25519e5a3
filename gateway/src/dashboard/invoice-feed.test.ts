import { limits } from '@einvoicing/domain/limits'
import { createLog } from '@einvoicing/runtime/log'
import type { InvoiceChange, ListChangesRequest } from '@einvoicing/proto/invoices'
import { smallInvoices } from '../testdata/small-services'
import { InvoiceFeed, lookBackMs } from './invoice-feed'

const toMoment = (ms: number) => new Date(ms).toISOString()
const hourMs = 3_600_000

it('reads changes dated far ahead in every tenth poll, not in each', async () => {
  jest.useFakeTimers()
  const ahead = Array.from({ length: 3_000 }, (_, index): InvoiceChange => {
    const number = String(index).padStart(4, '0')
    const updatedAt = toMoment(Date.now() + hourMs)
    return { invoiceId: `i-${number}`, invoiceNumber: `F-${number}`, status: 'SIGNED', updatedAt }
  })
  const listed = [...ahead]
  const requests: ListChangesRequest[] = []
  const listChanges = async (request: ListChangesRequest) => {
    requests.push(request)
    const { since, behind, count, aheadMs = Infinity } = request
    const changes = listed.filter(
      ({ updatedAt, invoiceId }) =>
        updatedAt + invoiceId > since + behind && Date.parse(updatedAt) <= Date.now() + aheadMs,
    )
    return { changes: since === '' ? [] : changes.slice(0, count), at: toMoment(Date.now()) }
  }
  const invoices = { ...smallInvoices(), listChanges }
  const feed = new InvoiceFeed('org-1', { invoices, log: createLog('silent') })
  const sent: string[] = []
  const listener = {
    ready: () => undefined,
    changed: ({ invoiceId }: InvoiceChange) => void sent.push(invoiceId),
    unavailable: () => undefined,
  }
  feed.add(listener)
  await jest.advanceTimersByTimeAsync(500)
  const callsOfPoll = async () => {
    requests.length = 0
    await jest.advanceTimersByTimeAsync(1_000)
    return requests.length
  }
  const calls: number[] = []
  for (let poll = 1; poll < 10; poll += 1) calls.push(await callsOfPoll())
  expect(calls).toEqual(Array.from({ length: 9 }, () => 1))
  expect(requests[0]?.aheadMs).toBe(lookBackMs.far)
  const late = { ...ahead[0]!, invoiceId: 'late', updatedAt: toMoment(Date.now() + 2 * hourMs) }
  listed.push(late)
  expect(await callsOfPoll()).toBe(1 + ahead.length / limits.changesListed)
  expect(requests.every(({ aheadMs }) => aheadMs === undefined)).toBe(true)
  expect(sent).toEqual([late.invoiceId])
  feed.remove(listener)
  jest.useRealTimers()
})
