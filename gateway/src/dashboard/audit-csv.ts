// RFC 4180, with a byte order mark so that spreadsheets read UTF-8. A cell that a spreadsheet would
// read as a formula begins with an apostrophe (OWASP, CSV injection).

import { once } from 'node:events'
import type { Clock } from '@einvoicing/runtime/clock'
import type { AuditEntry, AuditPage, ListAuditRequest } from '@einvoicing/proto/invoice'
import type { Response } from 'express'
import { releaseWhileWaiting } from '../http/overload/slot'
import { createCall } from '../http/exchange'
import type { Handle } from '../http/route-table'
import { presentEntry, type AuditDeps } from './audit'
import { auditFilters, readAuditQuery } from './audit-query'
import type { ApiTable } from '../routes/api-route'

export interface AuditCsvDeps extends AuditDeps {
  session: { now: Clock }
}

export const entriesWrittenMax = 10_000
const entriesReadAtOnce = 1_000

const columns = ['at', 'actor', 'action', 'invoiceId', 'from', 'to', 'detail'] as const

const write =
  ({ organizations, invoices, session }: AuditCsvDeps): Handle =>
  async (request, response) => {
    const filters = readAuditQuery(request.url, auditFilters)
    // Without an upper bound, entries written meanwhile would shift the pages.
    const atBefore = new Date(session.now().getTime() + 1).toISOString()
    const query = { atBefore, ...filters, size: entriesReadAtOnce, uncounted: true }
    const entries = mergeEntriesNewestFirst(
      readEntries((page) => organizations.listOrganizationAudit(page, createCall(response)), query),
      readEntries((page) => invoices.listInvoiceAudit(page, createCall(response)), query),
    )
    const first = await entries.next()
    response.writeHead(200, {
      'Content-Type': 'text/csv; charset=utf-8',
      'Content-Disposition': 'attachment; filename="audit.csv"',
      'Cache-Control': 'no-store',
    })
    if (request.method !== 'HEAD') await writeRows(response, first, entries)
    response.end()
  }

type Read = IteratorResult<AuditEntry, void>

async function writeRows(
  response: Response,
  first: Read,
  entries: AsyncGenerator<AuditEntry, void>,
): Promise<void> {
  response.write(`\uFEFF${toRow(columns)}`)
  let written = 0
  for (let read = first; !read.done && !response.destroyed; read = await entries.next()) {
    if (written === entriesWrittenMax) {
      const cut = `Only the newest ${entriesWrittenMax} entries are here. Ask for fewer days.`
      response.write(toRow([cut]))
      return
    }
    const entry = presentEntry(read.value)
    written += 1
    if (!response.write(toRow(columns.map((name) => entry[name] ?? '')))) {
      await releaseWhileWaiting(response, () => waitForDrain(response))
    }
  }
}

async function waitForDrain(response: Response): Promise<void> {
  const abort = new AbortController()
  const { signal } = abort
  const waits = [once(response, 'drain', { signal }), once(response, 'close', { signal })]
  await Promise.race(waits).finally(() => abort.abort())
  await Promise.allSettled(waits)
}

async function* readEntries(
  read: (request: ListAuditRequest) => Promise<AuditPage>,
  request: ListAuditRequest,
): AsyncGenerator<AuditEntry, void> {
  for (let page = 0; ; page += 1) {
    const { entries } = await read({ ...request, page })
    yield* entries
    if (entries.length < request.size) return
  }
}

/** Entries of the same moment: first those of `one`. */
export async function* mergeEntriesNewestFirst(
  one: AsyncGenerator<AuditEntry, void>,
  other: AsyncGenerator<AuditEntry, void>,
): AsyncGenerator<AuditEntry, void> {
  let [left, right] = await Promise.all([one.next(), other.next()])
  while (!left.done || !right.done) {
    if (right.done || (!left.done && left.value.at >= right.value.at)) {
      yield left.value as AuditEntry
      left = await one.next()
    } else {
      yield right.value
      right = await other.next()
    }
  }
}

export function toRow(cells: readonly string[]): string {
  return `${cells.map(toCell).join(',')}\r\n`
}

// Excel in French separates cells by semicolons and recognizes quotes only at the beginning of a
// line: for it, each of these begins a cell.
const formulaStart = /(?<=(?:^|[;\t\r\n])["\s]*)[=+\-@\uFF1D\uFF0B\uFF0D\uFF20]/g

function toCell(text: string): string {
  const harmless = text.replace(formulaStart, "'$&").replace(/^(?=[\t\r\n])/, "'")
  return `"${harmless.replaceAll('"', '""')}"`
}

export const auditCsvRoutes: ApiTable<AuditCsvDeps> = {
  '/audit.csv': {
    GET: {
      handle: write,
      operationId: 'downloadAudit',
      summary: 'Download the audit log as CSV, newest first.',
      description: `UTF-8 with a byte order mark. Cells that a spreadsheet would read as a formula begin with an apostrophe. At most the newest ${entriesWrittenMax} entries; a last row says so where entries are left out.`,
      query: auditFilters,
      answer: {
        mediaType: 'text/csv',
        description: 'The table, as a file.',
        schema: { type: 'string' },
        headers: ['Content-Disposition'],
      },
      errors: ['VALIDATION_ERROR'],
    },
  },
}
