// RFC 4180, with a byte order mark for spreadsheets. Cells that look like formulas begin with an
// apostrophe (OWASP, CSV injection).

import type { Clock } from '@einvoicing/runtime/clock'
import type { AuditEntry, ListAuditRequest } from '@einvoicing/proto/invoice'
import type { Response } from 'express'
import type { Call } from '@einvoicing/rpc/call'
import type { QueryRules } from '../fields/read-query'
import { annotateRule, oneOf } from '../fields/rules'
import { hasClientLeft } from '../http/client-left'
import { releaseWhileWaiting } from '../http/overload/slot'
import { createCall } from '../http/exchange'
import { holdWhileWaiting } from '../http/unread-answers'
import type { Handle } from '../http/route-table'
import { isOfAccounts, presentLogged, type AuditDeps } from './audit'
import { withoutSkipped, type ReadAuditLog } from './audit-pages'
import { auditFilters, readAuditQuery } from './audit-query'
import {
  createSheet,
  cutNotes,
  entriesWrittenMax,
  type Sheet,
  type SheetLanguage,
} from './audit-sheet'
import { InvoiceNumbers } from './invoice-numbers'
import type { ApiTable } from '../routes/api-route'

export interface AuditCsvDeps extends AuditDeps {
  session: { now: Clock }
}

const entriesReadAtOnce = 1_000
const entryBytes = 512

const sheetLanguages = ['fr', 'en'] as const
const sheetRules: QueryRules = {
  ...auditFilters,
  lang: annotateRule(oneOf(sheetLanguages), {
    description:
      'For a spreadsheet in this language: numbers and names instead of ids, Moroccan time, network and device; in French separated by semicolons.',
  }),
}

const columns = [
  'at',
  'actor',
  'action',
  'invoiceId',
  'from',
  'to',
  'detail',
  'network',
  'device',
  'seq',
  'hash',
] as const

const write =
  ({ organizations, invoices, session }: AuditCsvDeps): Handle =>
  async (request, response) => {
    const { language, filters } = readSheetQuery(request.url)
    // Without an upper bound, new entries would shift the pages.
    const atBefore = new Date(session.now().getTime() + 1).toISOString()
    const query = { atBefore, ...filters, size: entriesReadAtOnce, uncounted: true }
    const pages = new PagesInMemory()
    const entries = mergeEntriesNewestFirst(
      pages.read((page) => organizations.listOrganizationAudit(page, createCall(response)), query),
      isOfAccounts(filters)
        ? noEntries()
        : pages.read((page) => invoices.listInvoiceAudit(page, createCall(response)), query),
    )
    const download = { response, pages }
    const first = await entries.next()
    const numbers = new InvoiceNumbers(invoices, () => createCall(response))
    const sheet = language
      ? { ...(await openSheet(language, organizations, createCall(response))), numbers }
      : plainSheet
    response.writeHead(200, {
      'Content-Type': 'text/csv; charset=utf-8',
      'Content-Disposition': 'attachment; filename="audit.csv"',
      'Cache-Control': 'no-store',
    })
    const rows = prefixed(first, entries)
    if (request.method !== 'HEAD') await writeSheet(download, rows, sheet)
    response.end()
  }

type Entries = AsyncGenerator<AuditEntry, void>

async function* noEntries(): Entries {}

async function* prefixed(first: IteratorResult<AuditEntry, void>, rest: Entries): Entries {
  if (first.done) return
  yield first.value
  yield* rest
}

const plainSheet: Sheet = {
  separator: ',',
  heading: columns,
  cut: cutNotes.en,
  toCells(entry) {
    const presented = presentLogged(entry)
    return columns.map((name) => String(presented[name] ?? ''))
  },
}

interface Download {
  response: Response
  pages: PagesInMemory
}

const sheetRowsAtOnce = 100

async function writeSheet(
  download: Download,
  entries: Entries,
  { separator, heading, cut, toCells, numbers }: Sheet & { numbers?: InvoiceNumbers },
): Promise<void> {
  const { response } = download
  response.write(`\uFEFF${toRow(heading, separator)}`)
  let waiting: AuditEntry[] = []
  let written = 0
  const flush = async () => {
    const found = await numbers?.find(waiting)
    const rows = waiting.map((entry, index) =>
      toRow(toCells(entry, found?.[index] ?? null), separator),
    )
    waiting = []
    await writeText(download, rows.join(''))
  }
  for await (const entry of entries) {
    if (hasClientLeft(response)) return
    if (written === entriesWrittenMax) {
      await flush()
      response.write(toRow([cut], separator))
      return
    }
    written += 1
    waiting.push(entry)
    if (waiting.length === sheetRowsAtOnce) await flush()
  }
  await flush()
}

async function openSheet(
  language: SheetLanguage,
  organizations: AuditDeps['organizations'],
  call: Call,
): Promise<Sheet> {
  const { apiKeys } = await organizations.listApiKeys({}, call)
  return createSheet(language, new Map(apiKeys.map(({ id, name }) => [id, name])))
}

function readSheetQuery(url: string) {
  const [requested] = new URL(url, 'http://localhost').searchParams.getAll('lang')
  const language = sheetLanguages.find((known) => known === requested)
  return { language, filters: readAuditQuery(url, sheetRules) }
}

async function writeText({ response, pages }: Download, text: string): Promise<void> {
  if (response.write(text) || hasClientLeft(response)) return
  await releaseWhileWaiting(response, () =>
    holdWhileWaiting(response, pages.bytes(), () => waitForDrain(response)),
  )
}

function waitForDrain(response: Response): Promise<void> {
  const { socket } = response.req
  return new Promise((resolve) => {
    const done = () => {
      response.off('drain', done)
      socket.off('close', done)
      resolve()
    }
    response.on('drain', done)
    socket.on('close', done)
  })
}

class PagesInMemory {
  private readonly bytesByLog = new Map<ReadAuditLog, number>()

  bytes(): number {
    return [...this.bytesByLog.values()].reduce((sum, bytes) => sum + bytes, 0)
  }

  async *read(readPage: ReadAuditLog, request: ListAuditRequest): AsyncGenerator<AuditEntry, void> {
    for (let page = 0, skip = 0; ;) {
      const answer = await readPage({ ...request, page, skip })
      const entries = withoutSkipped(answer, skip)
      this.bytesByLog.set(readPage, estimateBytes(entries))
      yield* entries
      skip += entries.length
      if (answer.cut) continue
      if (skip < request.size) return
      page += 1
      skip = 0
    }
  }
}

function estimateBytes(entries: readonly AuditEntry[]): number {
  const texts = entries.map((entry) => Object.values(entry).join('').length)
  return texts.reduce((sum, length) => sum + 2 * length + entryBytes, 0)
}

async function* mergeEntriesNewestFirst(
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

export function toRow(cells: readonly string[], separator = ','): string {
  return `${cells.map(toCell).join(separator)}\r\n`
}

// Excel in French separates cells by semicolons and recognizes quotes only at the beginning of a
// line: each of these begins a cell.
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
      description: `UTF-8 with a byte order mark. Cells that a spreadsheet would read as a formula begin with an apostrophe. At most the newest ${entriesWrittenMax} entries; a last row says so if entries are left out.`,
      query: sheetRules,
      answer: {
        mediaType: 'text/csv',
        description: 'The table, as a file.',
        schema: { type: 'string' },
        headers: ['Content-Disposition'],
      },
    },
  },
}
