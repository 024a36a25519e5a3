/** One request for all documents stamped by the same certificate, until newer data is due. */

import { ApiError, unavailable } from '@einvoicing/domain/api-error'
import type { Clock } from '@einvoicing/runtime/clock'
import { within } from '@einvoicing/runtime/deadline'
import { metrics, timed } from '@einvoicing/runtime/metrics'
import { toOneLine } from '@einvoicing/verification/parse-certificate'
import { Histogram } from 'prom-client'
import {
  CertificateEnded,
  CertificateRevoked,
  NotYetPublished,
  type RevocationQuery,
  type Revocations,
} from './revocations'
import { listSources, type Found, type SourceOptions } from './sources'

const requestDuration = new Histogram({
  name: 'einvoicing_revocation_request_duration_seconds',
  help: 'Time until current, signed revocation data of a certificate was obtained, by outcome',
  labelNames: ['outcome'],
  buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
  registers: [metrics],
})

const certificatesMax = 1_000
/** Authorities may publish before `nextUpdate`. */
const lookAgainMs = 30 * 60_000
/** Also when `nextUpdate` is days away or absent. */
const waitMaxMs = 6 * 3_600_000
/** After a failure, and while an authority is late. */
const pauseMs = 5_000
/** Not the first caller's: others may have more time. Each source has a deadline of its own. */
const lookupMs = 30_000

interface Entry {
  found?: Found
  failure?: Error
  ended?: CertificateEnded | undefined
  requestedMs: number
  underway?: Promise<void> | undefined
}

export function openRevocations(options: SourceOptions & { now: Clock }): Revocations {
  const entries = new Map<string, Entry>()
  const nowMs = () => options.now().getTime()

  const request = async (entry: Entry, query: RevocationQuery): Promise<void> => {
    entry.requestedMs = nowMs()
    const lookup = { ...query, deadline: Date.now() + lookupMs }
    const problems: Error[] = []
    try {
      const found = await timed(requestDuration, {}, () => find(lookup, options, problems))
      entry.found = found.revokedAt ? found : newer(entry.found, found)
      delete entry.failure
    } catch (error) {
      entry.failure = error as Error
    } finally {
      entry.ended = problems.find((problem) => problem instanceof CertificateEnded)
      entry.underway = undefined
    }
  }

  const isWorthRequesting = ({ found, failure, requestedMs }: Entry): boolean => {
    const sinceMs = nowMs() - requestedMs
    // A clock was set back.
    if (sinceMs < 0) return true
    if (failure || !found || found.revokedAt) return sinceMs >= pauseMs
    if (!isLate(found, nowMs())) return sinceMs >= lookAgainMs
    // It became late after it was read, or was so already.
    return !isLate(found, requestedMs) || sinceMs >= pauseMs
  }

  return {
    async about(query) {
      const entry = takeEntry(entries, query.certificate.fingerprint256)
      const isFirst = entry.requestedMs < 0
      const isNewest =
        isEnough(entry.found, query, nowMs()) &&
        !isLate(entry.found, nowMs()) &&
        !isRevoked(entry.found, query)
      if (!isNewest && (isFirst || isWorthRequesting(entry))) {
        entry.underway ??= request(entry, query)
      }
      const late = await waitFor(entry, query)
      const { found, failure = late } = entry
      if (isRevoked(found, query)) {
        // Older data would contradict the revocation in the same document.
        throw toUnavailable(new CertificateRevoked(query.certificate, found.revokedAt))
      }
      if (found && isEnough(found, query, nowMs())) return found
      if (entry.ended) throw toUnavailable(entry.ended)
      if (failure || !found) throw toUnavailable(failure)
      if (isLate(found, nowMs())) {
        const due = found.nextUpdate?.toISOString()
        throw toUnavailable(new Error(`the authority is late: newer data was due on ${due}`))
      }
      const waitMs = Math.min(found.nextUpdate?.getTime() ?? Infinity, nowMs() + waitMaxMs)
      throw new NotYetPublished(new Date(waitMs))
    },
  }
}

async function waitFor(
  { underway }: Entry,
  { deadline }: RevocationQuery,
): Promise<Error | undefined> {
  if (!underway) return undefined
  const late = new Error('there was no answer before the deadline')
  return within(deadline - Date.now(), underway, () => late).then(
    () => undefined,
    () => late,
  )
}

function takeEntry(entries: Map<string, Entry>, key: string): Entry {
  const known = entries.get(key)
  if (known) return known
  if (entries.size >= certificatesMax) entries.clear()
  const entry = { requestedMs: -1 }
  entries.set(key, entry)
  return entry
}

function isLate(found: Found | undefined, nowMs: number): boolean {
  return found?.nextUpdate !== undefined && found.nextUpdate.getTime() <= nowMs
}

function isEnough(found: Found | undefined, { since }: RevocationQuery, nowMs: number): boolean {
  if (!found) return false
  // Data that is new enough stays so when newer data exists.
  return since ? found.thisUpdate >= since : !isLate(found, nowMs)
}

export function isRevoked(
  found: Found | undefined,
  { since, mayBeRevokedLater = false }: RevocationQuery,
): found is Found & { revokedAt: Date } {
  if (!found?.revokedAt) return false
  return !(mayBeRevokedLater && since && found.revokedAt > since)
}

function newer(one: Found | undefined, other: Found): Found {
  return one && one.thisUpdate > other.thisUpdate ? one : other
}

async function find(
  query: RevocationQuery,
  options: SourceOptions & { now: Clock },
  problems: Error[],
): Promise<Found> {
  let best: Found | undefined
  for await (const attempt of listSources(query, options)) {
    try {
      const found = await attempt()
      if (found.revokedAt) return found
      best = newer(best, found)
      if (isEnough(best, query, options.now().getTime())) return best
    } catch (error) {
      problems.push(error as Error)
    }
  }
  if (best) return best
  const { subject } = query.certificate
  const reasons = problems.map(({ message }) => message)
  const why = reasons.length > 0 ? reasons.join('; ') : 'the certificate names no place of it'
  throw new Error(`no revocation data about ${toOneLine(subject)}: ${why}`)
}

function toUnavailable(cause: unknown): Error {
  return cause instanceof ApiError ? cause : unavailable('Revocation data', cause)
}
