import type { Clock } from '@einvoicing/runtime/clock'
import { limits } from '@einvoicing/domain/limits'
import type { Service } from '@einvoicing/rpc/call'
import type { InvoicesService, Overview } from '@einvoicing/proto/invoices'
import { annotateRule } from '../fields/rules'
import { sendOk } from '../http/envelope'
import { createCall } from '../http/exchange'
import type { Handle } from '../http/route-table'
import { minorUnitsPerUnit } from '../invoices/present'
import { readQuery, wholeNumber, type QueryRules } from '../fields/read-query'
import { listLastDays, toStartOfDay, type CalendarDay } from './days'
import { knownCurrencies } from '@einvoicing/domain/currency'
import { invoiceStatuses } from '@einvoicing/domain/invoice-status'
import { z } from 'zod'
import { count, date, integer, textOneOf, time } from '../fields/answer-fields'
import type { ApiTable } from '../routes/api-route'

export interface OverviewDeps {
  invoices: Service<InvoicesService>
  session: { now: Clock }
}

const daysDefault = 30
const dayMs = 86_400_000

const overviewRules: QueryRules = {
  days: annotateRule(wholeNumber(1, limits.overviewDays), {
    default: daysDefault,
    description: 'How many days, today included.',
  }),
}

const read =
  ({ invoices, session }: OverviewDeps): Handle =>
  async (request, response) => {
    const { days = daysDefault } = readQuery(request.url, overviewRules)
    const now = session.now()
    const span = listLastDays(now, Number(days))
    const overview = await invoices.readOverview(
      { dayStarts: span.map(toStartOfDay) },
      createCall(response),
    )
    sendOk(response, presentOverview(overview, span, now))
  }

const overviewSchema = z.object({
  statuses: z.object(Object.fromEntries(invoiceStatuses.map((status) => [status, count]))),
  days: z.array(
    z.object({
      date,
      invoices: count.describe('Without credit notes.'),
      creditNotes: count,
      amountTtc: z
        .record(z.string(), z.number())
        .describe('By currency: invoices less credit notes.'),
    }),
  ),
  clearance: z.object({
    count,
    medianMs: z.number().nullable(),
    p95Ms: z.number().nullable(),
  }),
  rejections: z.array(z.object({ errorCode: z.string(), count })),
  certificate: z.object({ notAfter: time, daysLeft: integer }).nullable(),
  currencies: z.array(textOneOf(knownCurrencies)),
})

function presentOverview(
  overview: Overview,
  span: readonly CalendarDay[],
  now: Date,
): z.infer<typeof overviewSchema> {
  const { statuses, days, clearance, rejections, certificateNotAfter } = overview
  const found = days.flatMap(({ amounts }) => amounts.map(({ currency }) => currency))
  return {
    statuses: Object.fromEntries(statuses.map(({ status, count }) => [status, count])),
    days: days.map(({ invoices, creditNotes, amounts }, index) => ({
      date: span[index] ?? '',
      invoices,
      creditNotes: creditNotes ?? 0,
      amountTtc: Object.fromEntries(
        amounts.map(({ currency, amountTtc }) => [
          currency,
          amountTtc / minorUnitsPerUnit(currency),
        ]),
      ),
    })),
    clearance: {
      count: clearance?.count ?? 0,
      medianMs: clearance?.medianMs ?? null,
      p95Ms: clearance?.p95Ms ?? null,
    },
    rejections: rejections.map(({ errorCode, count }) => ({ errorCode, count })),
    certificate:
      certificateNotAfter === undefined ? null : presentCertificate(certificateNotAfter, now),
    currencies: [...new Set(found)].sort(),
  }
}

function presentCertificate(notAfter: string, now: Date) {
  return { notAfter, daysLeft: Math.floor((Date.parse(notAfter) - now.getTime()) / dayMs) }
}

const example = {
  statuses: {
    PENDING: 1,
    SIGNED: 0,
    TRANSMITTED: 2,
    ACCEPTED: 1204,
    REJECTED: 7,
    FAILED: 0,
    CANCELLED: 3,
  },
  days: [
    { date: '2026-05-02', invoices: 0, creditNotes: 0, amountTtc: {} },
    { date: '2026-05-03', invoices: 42, creditNotes: 1, amountTtc: { JPY: 386, MAD: 459369.54 } },
  ],
  clearance: { count: 41, medianMs: 812.5, p95Ms: 1904 },
  rejections: [{ errorCode: 'BUYER_UNKNOWN', count: 2 }],
  certificate: { notAfter: '2028-05-03T09:30:00.000Z', daysLeft: 731 },
  currencies: ['JPY', 'MAD'],
}

export const overviewRoutes: ApiTable<OverviewDeps> = {
  '/overview': {
    GET: {
      handle: read,
      operationId: 'readOverview',
      summary: 'Read statistics: statuses, days, time to clearance, rejections.',
      description: [
        '`statuses` counts all invoices; `days` counts those created each day (Africa/Casablanca), oldest first; `clearance` and `rejections` cover the invoices decided in these days. Amounts are by currency, invoices less credit notes, and leave out what is PENDING or CANCELLED.',
        'Time to clearance runs from the signature to the decision: its median and its 95th percentile, null if nothing was decided. `certificate` is the signing certificate, null if the signer does not report it.',
      ].join(' '),
      query: overviewRules,
      answer: { name: 'Overview', schema: overviewSchema, examples: { twoDays: example } },
    },
  },
}
