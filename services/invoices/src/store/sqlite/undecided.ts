import { orUnavailable, type Sqlite } from '@einvoicing/stores/sqlite'
import { toInvoice, type InvoiceRow } from './invoice-reads'
import type { InvoiceStore } from '../store'

type UndecidedReads = Pick<
  InvoiceStore,
  'listUndecided' | 'oldestUndecided' | 'listFailed' | 'failedQueriedUntil'
>

export function undecidedReads(reader: Sqlite): UndecidedReads {
  const undecided = reader.prepare(
    `SELECT content FROM invoice
     WHERE status IN ('SIGNED', 'TRANSMITTED') AND updated_at < ? AND (updated_at, id) > (?, ?)
     ORDER BY updated_at, id LIMIT ?`,
  )
  const failed = reader.prepare(
    `SELECT content FROM invoice
     WHERE status = 'FAILED' AND updated_at > ? AND updated_at <= ? AND (updated_at, id) > (?, ?)
     ORDER BY updated_at, id LIMIT ?`,
  )
  const failedQueried = reader.prepare(`SELECT value FROM progress WHERE name = 'failed-asked'`)
  const oldest = reader.prepare(
    `SELECT min(clearance_started_at) AS started FROM invoice WHERE status IN ('SIGNED', 'TRANSMITTED')`,
  )
  const read = <T>(work: () => T) => orUnavailable('The invoice store', work)
  const toInvoices = (rows: unknown[]) => (rows as InvoiceRow[]).map(toInvoice)

  return {
    listUndecided: (before, after, count) =>
      read(() => {
        const cursor = [after?.updatedAt ?? '', after?.id ?? '']
        return toInvoices(undecided.all([before, ...cursor, count]))
      }),
    listFailed: (span, after, count) =>
      read(() => {
        const cursor = [after?.updatedAt ?? '', after?.id ?? '']
        return toInvoices(failed.all([span.after, span.until, ...cursor, count]))
      }),
    failedQueriedUntil: () =>
      read(() => (failedQueried.get([]) as { value: string } | undefined)?.value),
    oldestUndecided: () =>
      read(() => (oldest.get([]) as { started: string | null }).started ?? undefined),
  }
}
