import type { AuditEntry, AuditPage, ListAuditRequest } from '@einvoicing/proto/invoice'

export type ReadAuditLog = (request: ListAuditRequest) => Promise<AuditPage>

interface Begun {
  moments: readonly string[]
  entries?: readonly AuditEntry[]
  total: number
}

/** A page of two merged logs depends on everything newer in both: of that, moments are enough. */
export async function readMergedPage(
  logs: readonly [ReadAuditLog, ReadAuditLog],
  request: ListAuditRequest,
): Promise<{ entries: AuditEntry[]; total: number }> {
  const { page, size } = request
  const newest = { ...request, page: 0, size: (page + 1) * size }
  const begin = page === 0 ? readFirstPage : readMoments
  const begun = await Promise.all([begin(logs[0], newest), begin(logs[1], newest)])
  const places = mergeNewestFirst(toPlaces(begun[0], 0), toPlaces(begun[1], 1))
  const [before, shown] = [places.slice(0, page * size), places.slice(page * size, newest.size)]
  const readShown = async (log: 0 | 1) => {
    const skip = before.filter((place) => place.log === log).length
    const end = skip + shown.filter((place) => place.log === log).length
    const { entries } = begun[log]
    if (entries || skip === end) return entries?.slice(skip, end) ?? []
    const range = { ...request, page: 0, size: end, skip, uncounted: true }
    return (await readEntries(logs[log], range)).entries
  }
  const [one, other] = await Promise.all([readShown(0), readShown(1)])
  return { entries: mergeNewestFirst(one, other), total: begun[0].total + begun[1].total }
}

/** Stable order, so that pages do not overlap when more is read. */
export function mergeNewestFirst<Dated extends { at: string }>(
  one: readonly Dated[],
  other: readonly Dated[],
): Dated[] {
  const merged: Dated[] = []
  let next = 0
  const takeWhile = (isNewer: (entry: Dated) => boolean) => {
    for (let entry = other[next]; entry && isNewer(entry); entry = other[next]) {
      merged.push(entry)
      next += 1
    }
  }
  for (const entry of one) {
    takeWhile(({ at }) => at > entry.at)
    merged.push(entry)
  }
  takeWhile(() => true)
  return merged
}

/** An older process leaves out nothing, and knows no moments. */
export function withoutSkipped({ entries, skipped }: AuditPage, skip: number): AuditEntry[] {
  return skipped === undefined ? entries.slice(skip) : entries
}

function toPlaces({ moments }: Begun, log: 0 | 1) {
  return moments.map((at) => ({ at, log }))
}

async function readFirstPage(log: ReadAuditLog, request: ListAuditRequest): Promise<Begun> {
  const { entries, total } = await readEntries(log, { ...request, skip: 0 })
  return { moments: entries.map(({ at }) => at), entries, total }
}

async function readMoments(log: ReadAuditLog, request: ListAuditRequest): Promise<Begun> {
  const { moments, entries, total } = await log({ ...request, momentsOnly: true })
  return moments
    ? { moments: moments.at, total }
    : { moments: entries.map(({ at }) => at), entries, total }
}

async function readEntries(
  log: ReadAuditLog,
  request: ListAuditRequest & { skip: number },
): Promise<{ entries: AuditEntry[]; total: number }> {
  const first = await log(request)
  const entries = withoutSkipped(first, request.skip)
  for (let { cut } = first; cut;) {
    const skip = request.skip + entries.length
    const next = await log({ ...request, skip, uncounted: true })
    entries.push(...withoutSkipped(next, skip))
    cut = next.cut
  }
  return { entries, total: first.total }
}
