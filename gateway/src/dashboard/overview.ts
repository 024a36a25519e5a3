/** How an organization's invoices fare: what people look at first. */

import type { Clock } from '@einvoicing/runtime/clock'
import { limits } from '@einvoicing/domain/limits'
import type { Service } from '@einvoicing/rpc/call'
import type { InvoicesService, Overview } from '@einvoicing/proto/invoices'
import { annotateRule } from '../fields/rules'
import { sendOk } from '../http/envelope'
import { createCall } from '../http/exchange'
import type { Handle, RouteTable } from '../http/route-table'
import { minorUnitsPerUnit } from '../invoices/present'
import { readQuery, wholeNumber, type QueryRules } from '../fields/read-query'
import { listLastDays, toStartOfDay, type CalendarDay } from './days'

export interface OverviewDeps {
  invoices: Service<InvoicesService>
  session: { now: Clock }
}

const daysDefault = 30
const dayMs = 86_400_000

export const overviewRules: QueryRules = {
  days: annotateRule(wholeNumber(1, limits.overviewDays), {
    default: daysDefault,
    description: 'How many days, today included.',
  }),
}

export function overviewRoutes({ invoices, session }: OverviewDeps): RouteTable {
  const read: Handle = async (request, response) => {
    const { days = daysDefault } = readQuery(request.url, overviewRules)
    const now = session.now()
    const span = listLastDays(now, Number(days))
    const overview = await invoices.readOverview(
      { dayStarts: span.map(toStartOfDay) },
      createCall(response),
    )
    sendOk(response, presentOverview(overview, span, now))
  }
  return { '/overview': { GET: read } }
}

export function presentOverview(overview: Overview, span: readonly CalendarDay[], now: Date) {
  const { statuses, days, clearance, rejections, certificateNotAfter } = overview
  const currencies = days.flatMap(({ amounts }) => amounts.map(({ currency }) => currency))
  return {
    statuses: Object.fromEntries(statuses.map(({ status, count }) => [status, count])),
    days: days.map(({ invoices, amounts }, index) => ({
      date: span[index] ?? '',
      invoices,
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
    currencies: [...new Set(currencies)].sort(),
  }
}

function presentCertificate(notAfter: string, now: Date) {
  return { notAfter, daysLeft: Math.floor((Date.parse(notAfter) - now.getTime()) / dayMs) }
}
