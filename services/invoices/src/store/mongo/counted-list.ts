import type { InvoiceStatus } from '@einvoicing/proto/invoice'
import type { Mongo } from '@einvoicing/stores/mongo'
import { unmarkedMax } from './count-lists'
import type { KeptInvoice } from './documents'
import { readRows, type Place } from './list-orders'
import { addUncounted, inSnapshot, sumCounts } from './list-snapshot'
import type { MarkedView } from './marked-lists'

export interface Dates {
  from: string | undefined
  to: string | undefined
}

export interface CountedRequest {
  place: Place & { status?: InvoiceStatus | undefined }
  dates: Dates | undefined
  descending: boolean
  offset: number
  limit: number
}

export interface Found {
  rows: KeptInvoice[]
  total: number
}

export const isNearStart = ({ offset, limit, dates }: CountedRequest): boolean =>
  dates === undefined && offset + limit <= unmarkedMax

/** `undefined` when too much is not counted yet. */
export function readNearStart(mongo: Mongo, request: CountedRequest): Promise<Found | undefined> {
  const { place, descending, offset, limit } = request
  const { organizationId, status } = place
  return inSnapshot(mongo, async (snapshot) => {
    const { statuses } = await snapshot.readCounts(organizationId)
    const [uncounted, rows] = await Promise.all([
      snapshot.readUncounted(organizationId),
      limit === 0 ? [] : readRows(snapshot, place, { descending, skip: offset, limit }),
    ])
    if (uncounted === 'too-many') return undefined
    return { rows, total: sumCounts(addUncounted(statuses, uncounted), status) }
  })
}

export async function readFromMarks(view: MarkedView, request: CountedRequest): Promise<Found> {
  const { place, descending, offset, limit } = request
  const total = sumCounts(view.counts, place.status)
  const size = Math.min(limit, total - offset)
  if (size <= 0) return { rows: [], total }
  const after = total - offset - size
  if (offset > unmarkedMax && after > unmarkedMax) {
    const position = descending ? total - 1 - offset : offset
    return { rows: await readAt(view, place, { position, descending, size }), total }
  }
  const { snapshot } = view
  if (offset <= after) {
    return {
      rows: await readRows(snapshot, place, { descending, skip: offset, limit: size }),
      total,
    }
  }
  const reversed = { descending: !descending, skip: after, limit: size }
  return { rows: (await readRows(snapshot, place, reversed)).reverse(), total }
}

interface Slice {
  /** Of the first row, in ascending order. */
  position: number
  descending: boolean
  size: number
}

export async function readAt(
  view: MarkedView,
  place: Place,
  { position, descending, size }: Slice,
): Promise<KeptInvoice[]> {
  const located = await view.useMarks(place, (marks) => marks.locate(position))
  const { range, before, count } = located
  const slice = descending
    ? { range: { to: range.to }, descending, skip: count - 1 - before, limit: size }
    : { range: { from: range.from }, skip: before, limit: size }
  return readRows(view.snapshot, place, slice)
}
