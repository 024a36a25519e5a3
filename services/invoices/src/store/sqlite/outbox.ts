import { orUnavailable, type Sqlite } from '@einvoicing/stores/sqlite'
import type { InvoiceEvent } from '@einvoicing/events/event'
import type { InvoiceStore, OutgoingEvent } from '../store'

export function outboxReads(reader: Sqlite): Pick<InvoiceStore, 'listOutbox'> {
  const outbox = reader.prepare(
    'SELECT position, fact AS event FROM outbox WHERE position > ? ORDER BY position LIMIT ?',
  )
  return {
    listOutbox: (after, count) =>
      orUnavailable('The invoice store', () => {
        const rows = outbox.all([Number(after ?? 0), count])
        return (rows as { position: number; event: string }[]).map(
          ({ position, event }): OutgoingEvent => ({
            position: String(position),
            event: JSON.parse(event) as InvoiceEvent,
          }),
        )
      }),
  }
}
