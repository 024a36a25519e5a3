/**
 * Totals come from stored counts; pages are read from the nearest end of an index, or from the
 * nearest mark in it, so that they cost the same with a million invoices (docs/decisions/0052). What
 * has no counter (a number, a buyer's ICE) is counted along its index, and a search is looked up.
 */

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
import { MarkedLists, searchedMax } from './marked-lists'
import { scan } from './scanned-list'
import { readSearched } from './searched-list'
import type { InvoiceStore } from '../store'

/** Marks that take longer to read serve later lists. */
const marksReadMs = 2_000

export function lists(
  server: Mongo,
  counting: Pick<ListCounting, 'noteList'>,
): Pick<InvoiceStore, 'list'> {
  const marked = new MarkedLists(server)
  return {
    async list(organizationId, request) {
      counting.noteList()
      const found = await findKnown(server, marked, { organizationId, request })
      if (found && 'rows' in found) {
        return { invoices: found.rows.map(toInvoice), total: found.total }
      }
      return server.read((db) => scan(db, { organizationId, request, known: found?.total }))
    },
  }
}

interface Asked {
  organizationId: string
  request: ListInvoicesRequest
}

async function findKnown(
  server: Mongo,
  marked: MarkedLists,
  { organizationId, request }: Asked,
): Promise<Found | Pick<Found, 'total'> | undefined> {
  const counted = toCounted(organizationId, request)
  if (counted) return findCounted(server, marked, counted)
  const { search, invoiceNumber, buyerIce } = request
  if (search === undefined || invoiceNumber !== undefined || buyerIce !== undefined)
    return undefined
  const reading = marked.view(organizationId, async (view) => {
    const count = sumCounts(view.counts, undefined)
    if (count <= unmarkedMax || count > searchedMax) return undefined
    return readSearched(view, organizationId, request)
  })
  return withinTime(reading)
}

function toCounted(
  organizationId: string,
  request: ListInvoicesRequest,
): CountedRequest | undefined {
  const { sortBy, descending, status, invoiceNumber, buyerIce, search } = request
  if (!Object.hasOwn(sortFields, sortBy)) throw new Error(`no order by ${sortBy}`)
  if ([invoiceNumber, buyerIce, search].some((filter) => filter !== undefined)) return undefined
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
  server: Mongo,
  marked: MarkedLists,
  request: CountedRequest,
): Promise<Found | Pick<Found, 'total'> | undefined> {
  if (isNearStart(request)) return readNearStart(server, request)
  const reading = marked.view(request.place.organizationId, async (view) => {
    if (sumCounts(view.counts, undefined) <= unmarkedMax) return undefined
    return hasDates(request) ? readDated(view, request) : readFromMarks(view, request)
  })
  return withinTime(reading)
}

function hasDates(request: CountedRequest): request is DatedRequest {
  return request.dates !== undefined
}

async function withinTime<T>(reading: Promise<T>): Promise<T | undefined> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => resolve(undefined), marksReadMs)
  })
  try {
    return await Promise.race([reading, late])
  } finally {
    clearTimeout(timer)
    reading.catch(() => undefined)
  }
}
