import { createLog } from '@einvoicing/runtime/log'
import { limits } from '@einvoicing/domain/limits'
import { smallInvoices } from '../testdata/small-services'
import type { EventStream } from './event-stream'
import { InvoiceEvents } from './events'

const stream = (): unknown => ({ end: () => undefined })

test('one member leaves streams for the others of an organization', () => {
  const events = new InvoiceEvents({ invoices: smallInvoices(), log: createLog('silent') })
  const open = (userId: string) => {
    events.openFeed('org', userId)
    const opened = stream() as EventStream
    events.addStream(opened, userId)
    return opened
  }
  const own = Array.from({ length: limits.eventStreamsOfMember }, () => open('greedy'))
  expect(() => open('greedy')).toThrow(
    'You already have 5 event streams open. Close a page, or try again in 30 seconds.',
  )
  open('other')

  // Dropped twice it is counted once.
  for (let times = 0; times < 2; times += 1) events.removeStream(own[0]!, 'greedy')
  open('greedy')
  expect(() => open('greedy')).toThrow('You already have 5 event streams open')
  events.close()
})
