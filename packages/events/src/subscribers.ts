/**
 * Who listens to what, known before anyone runs: a bus between processes keeps an event for a
 * subscriber whose process has never started yet.
 */

import type { EventType } from './event'

export const subscribers: Record<EventType, readonly string[]> = {
  'invoice.signed': ['clearance'],
  'clearance.transmitted': ['invoices'],
  'clearance.accepted': ['invoices'],
  'clearance.rejected': ['invoices'],
  'clearance.failed': ['invoices'],
}
