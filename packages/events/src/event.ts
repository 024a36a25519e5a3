/**
 * Events: what happened to an invoice, in the past tense, in the shape of CloudEvents 1.0. Each may
 * arrive twice or out of order.
 */

import type {
  ClearanceAccepted,
  ClearanceFailed,
  ClearanceRejected,
  ClearanceTransmitted,
  InvoiceSigned,
} from '@einvoicing/proto/events'

/** What each type of event carries. */
export interface EventData {
  'invoice.signed': InvoiceSigned
  'clearance.transmitted': ClearanceTransmitted
  'clearance.accepted': ClearanceAccepted
  'clearance.rejected': ClearanceRejected
  'clearance.failed': ClearanceFailed
}

export type EventType = keyof EventData

export interface InvoiceEvent<T extends EventType = EventType> {
  specversion: '1.0'
  /** The same event published again keeps its id, so that a bus can tell. */
  id: string
  source: 'invoices' | 'clearance'
  type: T
  time: string
  /** The invoice's id. */
  subject: string
  organizationid: string
  /** Where in a trace it happened: CloudEvents' Distributed Tracing extension. */
  traceparent?: string | undefined
  /** The request that it goes back to, by its X-Request-Id: an extension of ours. */
  requestid?: string | undefined
  data: EventData[T]
}
