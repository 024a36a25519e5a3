// CloudEvents 1.0. Each event may arrive twice or out of order.

import type {
  ClearanceAccepted,
  ClearanceFailed,
  ClearanceRejected,
  ClearanceTransmitted,
  InvoiceSigned,
} from '@einvoicing/proto/events'

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
  /** The same event published again has the same id, so that a bus can recognize it. */
  id: string
  source: 'invoices' | 'clearance'
  type: T
  time: string
  subject: string
  organizationid: string
  /** CloudEvents' Distributed Tracing extension. */
  traceparent?: string | undefined
  /** An extension of ours: the X-Request-Id of the request that caused it. */
  requestid?: string | undefined
  data: EventData[T]
}
