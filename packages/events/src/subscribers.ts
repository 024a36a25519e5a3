// Events are stored for a subscriber that has never started.

import type { EventType } from './event'

export const subscribers: Record<EventType, readonly string[]> = {
  'invoice.signed': ['clearance'],
  'clearance.transmitted': ['invoices'],
  'clearance.accepted': ['invoices'],
  'clearance.rejected': ['invoices'],
  'clearance.failed': ['invoices'],
}
