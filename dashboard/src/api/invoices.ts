import { useQuery } from '@tanstack/react-query'
import { call } from './connection'
import type { Schemas } from './schemas'

export type InvoicePage = Schemas['InvoicePage']
export type ListedInvoice = InvoicePage['content'][number]
export type InvoiceStatus = ListedInvoice['status']

export const issuedStatuses: readonly InvoiceStatus[] = ['SIGNED', 'TRANSMITTED', 'ACCEPTED']

/** Prefix of every query of invoices: an event invalidates them all. */
export const invoicesKey = ['invoices'] as const

export const listInvoices = (query: Record<string, string | number>, signal?: AbortSignal) =>
  call<InvoicePage>('GET', '/invoices', { query, ...(signal && { signal }) })

export function useFirstInvoice() {
  return useQuery({
    queryKey: [...invoicesKey, 'first'],
    queryFn: async ({ signal }) => {
      const status = 'ACCEPTED' satisfies InvoiceStatus
      const accepted = await listInvoices({ status, sort: 'createdAt,asc', size: 1 }, signal)
      const { content } =
        accepted.content.length > 0
          ? accepted
          : await listInvoices({ sort: 'createdAt,desc', size: 1 }, signal)
      return content[0] ?? null
    },
  })
}
