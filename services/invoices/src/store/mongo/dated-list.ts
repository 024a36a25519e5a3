import { readAt, type CountedRequest, type Dates, type Found } from './counted-list'
import { sortFields } from './counted-row'
import type { KeptInvoice } from './documents'
import { toSort, type Place } from './list-orders'
import { sumCounts } from './list-snapshot'
import type { MarkedView } from './marked-lists'
import { countFew } from './marks'

/** Up to this many rows are sorted in memory. */
const sortMax = 1_000
/** Merged by one query; the server takes up to 200. */
const daysMax = 180
const dayMs = 24 * 60 * 60 * 1000

export type DatedRequest = CountedRequest & { dates: Dates }

/** `rows` are `undefined` when a walk must find them. */
export async function readDated(
  view: MarkedView,
  request: DatedRequest,
): Promise<Found | Pick<Found, 'total'>> {
  const { place, dates, descending, offset, limit } = request
  const start = dates.from === undefined ? 0 : await countBefore(view, place, dates.from)
  const end =
    dates.to === undefined
      ? sumCounts(view.counts, place.status)
      : await countBefore(view, place, nextKey(dates.to))
  const total = Math.max(0, end - start)
  const size = Math.min(limit, total - offset)
  if (size <= 0) return { rows: [], total }
  if (place.by === 'invoiceDate') {
    const position = start + (descending ? total - 1 - offset : offset)
    return { rows: await readAt(view, place, { position, descending, size }), total }
  }
  if (total <= sortMax) return { rows: await sortFew(view, request), total }
  const days = place.by === 'createdAt' ? listDays(dates) : undefined
  return days ? { rows: await mergeDays(view, request, { days, total, size }), total } : { total }
}

/** The first key after all of a date. */
const nextKey = (date: string) => `${date} `

async function countBefore(view: MarkedView, place: Place, date: string): Promise<number> {
  const byDate: Place = { ...place, by: 'invoiceDate' }
  const bound = { key: date, id: '' }
  const { before, rest } = await view.useMarks(byDate, (marks) => marks.rank(bound))
  if (!rest) return before
  const count = await countFew(view.snapshot, byDate, rest)
  // The next list by this date reads nothing.
  await view.useMarks(byDate, (marks) => marks.split(rest, count))
  return before + count
}

function toFilter({ organizationId, status }: Place, invoiceDate: object) {
  return {
    organizationId,
    ...(status !== undefined && { [sortFields.status]: status }),
    [sortFields.invoiceDate]: invoiceDate,
  }
}

function sortFew({ snapshot }: MarkedView, request: DatedRequest): Promise<KeptInvoice[]> {
  const { place, dates, descending, offset, limit } = request
  const { from, to } = dates
  const filter = toFilter(place, {
    ...(from !== undefined && { $gte: from }),
    ...(to !== undefined && { $lte: to }),
  })
  const hint = place.status === undefined ? 'by_invoice_date' : 'by_status_and_invoice_date'
  const sort = toSort(place, descending)
  const projection = { organizationId: 1, invoice: 1 }
  return snapshot.read((invoices, options) =>
    invoices.find(filter, { ...options, projection, hint, sort, skip: offset, limit }).toArray(),
  )
}

interface Days {
  days: string[]
  total: number
  size: number
}

/** In one index the invoices of a day are in order of creation: the server merges the days. */
async function mergeDays(
  { snapshot }: MarkedView,
  { place, descending, offset }: DatedRequest,
  { days, total, size }: Days,
): Promise<KeptInvoice[]> {
  const after = total - offset - size
  const isReversed = after < offset
  const filter = toFilter(place, { $in: days })
  const found = await snapshot.read((invoices, options) =>
    invoices
      .find(filter, {
        ...options,
        projection: { organizationId: 1, invoice: 1 },
        hint: 'by_day',
        sort: toSort(place, descending !== isReversed),
        skip: isReversed ? after : offset,
        limit: size,
      })
      .toArray(),
  )
  return isReversed ? found.reverse() : found
}

/** `undefined` for too many. */
function listDays({ from, to }: Dates): string[] | undefined {
  if (from === undefined || to === undefined) return undefined
  const first = Date.parse(from)
  const count = (Date.parse(to) - first) / dayMs + 1
  if (!(count >= 1 && count <= daysMax)) return undefined
  return Array.from({ length: count }, (_, day) => {
    return new Date(first + day * dayMs).toISOString().slice(0, 10)
  })
}
