/**
 * Totals come from stored counts; pages are read from the nearest mark or end of an index, so that
 * they cost the same with a million invoices (docs/decisions/0052).
 */

import { defaultInvoiceType, invoiceTypes } from '@einvoicing/domain/invoice-types'
import type { ListInvoicesRequest } from '@einvoicing/proto/invoices'
import { sumCounts } from './list-snapshot'
import type { Mongo } from '@einvoicing/stores/mongo'
import { unmarkedMax, type ListCounting } from './count-lists'
import {
  isNearStart,
  readFromMarks,
  readNearStart,
  type CountedRequest,
  type Found,
} from './counted-list'
import { sortFields, type SortBy } from './counted-row'
import { readDated, type DatedRequest } from './dated-list'
import { toInvoice } from './documents'
import { MarkedLists } from './marked-lists'
import { count, scan } from './scanned-list'
import { getInvoiceCollection } from './schema'
import { readSearched } from './searched-list'
import { searchedMax } from '../search-index'
import type { InvoiceStore } from '../store'

/** What takes longer to read serves later lists. */
const marksReadMs = 2_000
/** For what a walk finds late or never: with it, still within the deadline of a call. */
const textsAndDatesReadMs = 6_000

export function lists(
  mongo: Mongo,
  counting: Pick<ListCounting, 'noteList'>,
): Pick<InvoiceStore, 'list'> {
  const known: Known = {
    mongo,
    marked: new MarkedLists(mongo),
    searched: new MarkedLists(mongo),
  }
  return {
    async list(organizationId, request) {
      counting.noteList()
      const found = await findKnown(known, { organizationId, request })
      if (found && 'rows' in found) {
        return { invoices: found.rows.map(toInvoice), total: found.total }
      }
      const total = found?.total ?? (await countInvoices(known, { organizationId, request }))
      return mongo.read((db) => scan(db, { organizationId, request, known: total }))
    },
  }
}

interface Known {
  mongo: Mongo
  marked: MarkedLists
  /** Apart: reading all texts of a large organization takes seconds, and holds up no page. */
  searched: MarkedLists
}

interface ListQuery {
  organizationId: string
  request: ListInvoicesRequest
}

/** Nearly all documents: the total without the other types. */
async function countInvoices(
  known: Known,
  { organizationId, request }: ListQuery,
): Promise<number | undefined> {
  if (request.type !== defaultInvoiceType) return undefined
  const all = { ...request, type: undefined, page: { page: 0, size: 0 } }
  const whole = await findKnown(known, { organizationId, request: all })
  if (!whole) return undefined
  const others = invoiceTypes.filter((type) => type !== defaultInvoiceType)
  const counts = await known.mongo.read((db) =>
    Promise.all(
      others.map((type) => count(getInvoiceCollection(db), organizationId, { ...all, type })),
    ),
  )
  return counts.reduce((left, each) => left - each, whole.total)
}

async function findKnown(
  { mongo, marked, searched }: Known,
  { organizationId, request }: ListQuery,
): Promise<Found | Pick<Found, 'total'> | undefined> {
  const counted = toCounted(organizationId, request)
  if (counted) return findCounted(mongo, marked, counted)
  const { search, invoiceNumber, buyerIce, precedingInvoiceNumber } = request
  const others = [invoiceNumber, buyerIce, precedingInvoiceNumber]
  if (search === undefined || others.some((filter) => filter !== undefined)) return undefined
  return searched.view(organizationId, textsAndDatesReadMs, async (view) => {
    const count = sumCounts(view.counts, undefined)
    if (count <= unmarkedMax || count > searchedMax) return undefined
    return readSearched(view, organizationId, request)
  })
}

function toCounted(
  organizationId: string,
  request: ListInvoicesRequest,
): CountedRequest | undefined {
  const { sortBy, descending, status, invoiceNumber, buyerIce, search } = request
  const { type, precedingInvoiceNumber } = request
  if (!Object.hasOwn(sortFields, sortBy)) throw new Error(`no order by ${sortBy}`)
  const others = [invoiceNumber, buyerIce, search, type, precedingInvoiceNumber]
  if (others.some((filter) => filter !== undefined)) return undefined
  const { page, size } = request.page ?? { page: 0, size: 0 }
  const { invoiceDateFrom: from, invoiceDateTo: to } = request
  return {
    place: { organizationId, by: sortBy as SortBy, status },
    dates: from === undefined && to === undefined ? undefined : { from, to },
    descending,
    offset: page * size,
    limit: size,
  }
}

async function findCounted(
  mongo: Mongo,
  marked: MarkedLists,
  request: CountedRequest,
): Promise<Found | Pick<Found, 'total'> | undefined> {
  if (isNearStart(request)) return readNearStart(mongo, request)
  const withinMs = hasDates(request) ? textsAndDatesReadMs : marksReadMs
  return marked.view(request.place.organizationId, withinMs, async (view) => {
    if (sumCounts(view.counts, undefined) <= unmarkedMax) return undefined
    return hasDates(request) ? readDated(view, request) : readFromMarks(view, request)
  })
}

function hasDates(request: CountedRequest): request is DatedRequest {
  return request.dates !== undefined
}
