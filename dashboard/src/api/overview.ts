/** How it goes: counts, days, how long clearance takes, why invoices are refused. */

import { useQuery } from '@tanstack/react-query'
import { call } from './connection'
import { invoicesKey, type InvoiceStatus } from './invoices'

export interface OverviewDay {
  /** `YYYY-MM-DD`, in Morocco. */
  date: string
  invoices: number
  /** Including VAT, by currency. */
  amountTtc: Readonly<Record<string, number>>
}

export interface Overview {
  /** Of all time. */
  statuses: Readonly<Record<InvoiceStatus, number>>
  /** Every day of the span, the oldest first. */
  days: OverviewDay[]
  /** From signature to verdict; null where nothing was decided. */
  clearance: { count: number; medianMs: number | null; p95Ms: number | null }
  /** The most frequent first. */
  rejections: { errorCode: string; count: number }[]
  certificate: { notAfter: string; daysLeft: number } | null
  currencies: string[]
}

export function useOverview(days: number) {
  return useQuery({
    queryKey: [...invoicesKey, 'overview', days],
    queryFn: ({ signal }) => call<Overview>('GET', '/overview', { query: { days }, signal }),
  })
}
