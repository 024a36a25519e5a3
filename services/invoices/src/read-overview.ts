import { callerOrganization } from '@einvoicing/rpc/caller'
import { limits } from '@einvoicing/domain/limits'
import { nextCall, type Call } from '@einvoicing/rpc/call'
import type {
  ClearanceFigures,
  DayFigures,
  Overview,
  OverviewRequest,
} from '@einvoicing/proto/invoices'
import type { Deps } from './deps'
import { statuses } from './store/counts'
import type { InvoiceStore, OrganizationOverview } from './store/store'

const certificateDeadlineMs = 2_000

export async function readOverview(
  deps: Pick<Deps, 'signer' | 'log'> & Pick<InvoiceStore, 'readOrganizationOverview'>,
  { dayStarts }: OverviewRequest,
  call: Call,
): Promise<Overview> {
  const [first = ''] = assertDays(dayStarts)
  const [stored, certificateNotAfter] = await Promise.all([
    deps.readOrganizationOverview(callerOrganization(call.caller), first),
    certificateEnd(deps, call),
  ])
  return {
    statuses: statuses.map((status) => ({ status, count: stored.statuses[status] })),
    days: foldHours(dayStarts, stored.hours),
    clearance: summarizeClearance(stored.durations),
    rejections: stored.rejections.toSorted(
      (one, other) => other.count - one.count || (one.errorCode < other.errorCode ? -1 : 1),
    ),
    ...(certificateNotAfter !== undefined && { certificateNotAfter }),
  }
}

function assertDays(dayStarts: readonly string[]): readonly string[] {
  const isSpan = dayStarts.length >= 1 && dayStarts.length <= limits.overviewDays
  const areHours = dayStarts.every((start) => /^\d{4}-\d\d-\d\dT\d\d:00:00\.000Z$/.test(start))
  const ascend = dayStarts.every((start, day) => day === 0 || (dayStarts[day - 1] ?? '') < start)
  if (isSpan && areHours && ascend) return dayStarts
  throw new Error(`not a list of days: ${dayStarts.join()}`)
}

/** Optional: the overview is returned without it when the signer is unavailable. */
async function certificateEnd({ signer, log }: Pick<Deps, 'signer' | 'log'>, call: Call) {
  try {
    const certificateCall = nextCall(call, 'invoices', certificateDeadlineMs)
    return (await signer.getCertificate({}, certificateCall)).notAfter
  } catch (err) {
    log.debug({ err, requestId: call.requestId }, 'the signer did not return its certificate')
    return undefined
  }
}

export function foldHours(
  dayStarts: readonly string[],
  hours: OrganizationOverview['hours'],
): DayFigures[] {
  const days = dayStarts.map(() => ({
    invoices: 0,
    creditNotes: 0,
    amounts: new Map<string, number>(),
  }))
  for (const { hour, currency, invoices, creditNotes, amountTtc } of hours) {
    const day = days[dayStarts.findLastIndex((start) => start.slice(0, 13) <= hour)]
    if (!day) continue
    day.invoices += invoices
    day.creditNotes += creditNotes
    day.amounts.set(currency, (day.amounts.get(currency) ?? 0) + amountTtc)
  }
  return days.map(({ invoices, creditNotes, amounts }) => ({
    invoices,
    creditNotes,
    amounts: [...amounts]
      .map(([currency, amountTtc]) => ({ currency, amountTtc }))
      .sort((one, other) => (one.currency < other.currency ? -1 : 1)),
  }))
}

export function summarizeClearance(durations: OrganizationOverview['durations']): ClearanceFigures {
  const sorted = durations.toSorted((one, other) => one.ms - other.ms)
  const count = sorted.reduce((sum, one) => sum + one.count, 0)
  if (count === 0) return { count }
  const ranked = (rank: number): number => {
    let passed = 0
    return sorted.find((one) => (passed += one.count) >= rank)?.ms ?? 0
  }
  const medianMs = (ranked(Math.floor((count + 1) / 2)) + ranked(Math.floor(count / 2) + 1)) / 2
  // In integers: 0.95 × 20 is slightly more than 19 in floating point.
  return { count, medianMs, p95Ms: ranked(Math.ceil((count * 95) / 100)) }
}
