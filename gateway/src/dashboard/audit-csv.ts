// RFC 4180, with a byte order mark for spreadsheets. Cells that look like formulas begin with an
// apostrophe (OWASP, CSV injection).

import type { Clock } from '@einvoicing/runtime/clock'
import type { AuditEntry, AuditPage, ListAuditRequest } from '@einvoicing/proto/invoice'
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
import { auditFilters, readAuditQuery } from './audit-query'
import { createSheet, type Sheet, type SheetLanguage } from './audit-sheet'
import { InvoiceNumbers } from './invoice-numbers'
import type { ApiTable } from '../routes/api-route'

export interface AuditCsvDeps extends AuditDeps {
  session: { now: Clock }
}

export const entriesWrittenMax = 10_000
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

const changed = ['at', 'actor', 'action', 'invoiceId', 'from', 'to', 'detail'] as const
const columns = [...changed, 'network', 'device', 'seq', 'hash'] as const

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
    const sheet = language && (await openSheet(language, organizations, createCall(response)))
    response.writeHead(200, {
      'Content-Type': 'text/csv; charset=utf-8',
      'Content-Disposition': 'attachment; filename="audit.csv"',
      'Cache-Control': 'no-store',
    })
    const rows = prefixed(first, entries)
    if (request.method !== 'HEAD') {
      await (sheet ? writeSheet(download, rows, { ...sheet, numbers }) : writeRows(download, rows))
    }
    response.end()
  }

type Entries = AsyncGenerator<AuditEntry, void>

async function* noEntries(): Entries {}

async function* prefixed(first: IteratorResult<AuditEntry, void>, rest: Entries): Entries {
  if (first.done) return
  yield first.value
  yield* rest
}

const toPlainCells = (entry: AuditEntry): string[] => {
  const presented = presentLogged(entry)
  return columns.map((name) => String(presented[name] ?? ''))
}

interface Download {
  response: Response
  pages: PagesInMemory
}

async function writeRows(download: Download, entries: Entries): Promise<void> {
  const { response } = download
  response.write(`\uFEFF${toRow(columns)}`)
  let written = 0
  for await (const entry of entries) {
    if (hasClientLeft(response)) return
    if (written === entriesWrittenMax) {
      response.write(toRow([cutNote]))
      return
    }
    written += 1
    await writeText(download, toRow(toPlainCells(entry)))
  }
}

/** Numbers are read for this many entries at once. */
const sheetRowsAtOnce = 100

async function writeSheet(
  download: Download,
  entries: Entries,
  { separator, heading, toCells, numbers }: Sheet & { numbers: InvoiceNumbers },
): Promise<void> {
  const { response } = download
  response.write(`\uFEFF${toRow(heading, separator)}`)
  let waiting: AuditEntry[] = []
  let written = 0
  const flush = async () => {
    const found = await numbers.find(waiting)
    const rows = waiting.map((entry, index) =>
      toRow(toCells(entry, found[index] ?? null), separator),
    )
    waiting = []
    await writeText(download, rows.join(''))
  }
  for await (const entry of entries) {
    if (hasClientLeft(response)) return
    if (written === entriesWrittenMax) {
      await flush()
      response.write(toRow([cutNote], separator))
      return
    }
    written += 1
    waiting.push(entry)
    if (waiting.length === sheetRowsAtOnce) await flush()
  }
  await flush()
}

const cutNote = `Only the newest ${entriesWrittenMax} entries are here. Ask for fewer days.`

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

/** Or until the client leaves. */
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

type ReadPage = (request: ListAuditRequest) => Promise<AuditPage>

class PagesInMemory {
  private readonly bytesByLog = new Map<ReadPage, number>()

  bytes(): number {
    return [...this.bytesByLog.values()].reduce((sum, bytes) => sum + bytes, 0)
  }

  async *read(readPage: ReadPage, request: ListAuditRequest): AsyncGenerator<AuditEntry, void> {
    for (let page = 0; ; page += 1) {
      const { entries } = await readPage({ ...request, page })
      this.bytesByLog.set(readPage, estimateBytes(entries))
      yield* entries
      if (entries.length < request.size) return
    }
  }
}

function estimateBytes(entries: readonly AuditEntry[]): number {
  const texts = entries.map((entry) => Object.values(entry).join('').length)
  return texts.reduce((sum, length) => sum + 2 * length + entryBytes, 0)
}

/** Of equal times, entries of `one` come first. */
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
      errors: ['VALIDATION_ERROR'],
    },
  },
}
