/** Not under `invoicesKey`: an event need not read them again. */

import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query'
import { useMemo } from 'react'
import { readInvoice, type Invoice, type InvoiceLine } from './invoice'
import { issuedStatuses, listInvoices, type ListedInvoice } from './invoices'

const listedMax = 100
const readMax = 12
const freshMs = 60_000

export function useNewestInvoices() {
  return useQuery({
    queryKey: ['suggestions', 'newest'],
    queryFn: async ({ signal }) => {
      const query = { sort: 'createdAt,desc', size: listedMax }
      return (await listInvoices(query, signal)).content
    },
    staleTime: freshMs,
  })
}

/** The highest numbers with this prefix. */
export function useNumbersOfSeries(prefix: string | undefined) {
  return useQuery({
    queryKey: ['suggestions', 'numbers', prefix],
    queryFn: async ({ signal }) => {
      const search = prefix ?? ''
      const query = {
        sort: 'invoiceNumber,desc',
        size: listedMax,
        ...(search.trim() && { search }),
      }
      const { content } = await listInvoices(query, signal)
      return content.map(({ invoiceNumber }) => invoiceNumber)
    },
    enabled: prefix !== undefined,
    staleTime: freshMs,
  })
}

export type KnownBuyer = Pick<ListedInvoice, 'buyerName' | 'buyerIce' | 'buyerAddress'>

/** Found by name or ICE, each once, the newest first. */
export function useKnownBuyers(typed: string): KnownBuyer[] {
  const newest = useNewestInvoices()
  const search = typed.trim()
  const found = useQuery({
    queryKey: ['suggestions', 'buyers', search],
    queryFn: async ({ signal }) => {
      const query = { search, sort: 'createdAt,desc', size: 25 }
      return (await listInvoices(query, signal)).content
    },
    enabled: search.length > 1,
    staleTime: freshMs,
    placeholderData: keepPreviousData,
  })
  return uniqueBuyers([...(found.data ?? []), ...(newest.data ?? [])])
}

function uniqueBuyers(invoices: readonly ListedInvoice[]): KnownBuyer[] {
  const buyers = new Map<string, KnownBuyer>()
  for (const { buyerName, buyerIce, buyerAddress } of invoices) {
    if (buyerName === null) continue
    const key = `${buyerIce ?? ''} ${buyerName}`
    if (!buyers.has(key)) buyers.set(key, { buyerName, buyerIce, buyerAddress })
  }
  return [...buyers.values()]
}

interface KnownArticle {
  line: InvoiceLine
  currency: string
}

/** The lines of the newest invoices, each description once, first those in the currency. */
export function useKnownArticles(currency: string): ReadonlyMap<string, KnownArticle> {
  const queries = useQueryClient()
  const newest = useNewestInvoices()
  const ids = (newest.data ?? [])
    .filter(({ type, status }) => type !== 'CREDIT_NOTE' && issuedStatuses.includes(status))
    .slice(0, readMax)
    .map(({ id }) => id)
  const read = useQuery({
    queryKey: ['suggestions', 'articles', ids],
    queryFn: ({ signal }) =>
      Promise.all(
        ids.map((id) =>
          queries.query<Invoice>({
            queryKey: ['suggestions', 'invoice', id],
            queryFn: () => readInvoice(id, signal),
            staleTime: Infinity,
          }),
        ),
      ),
    enabled: ids.length > 0,
    staleTime: freshMs,
  })
  return useMemo(() => uniqueArticles(read.data ?? [], currency), [read.data, currency])
}

const articlesMax = 300

function uniqueArticles(
  invoices: readonly Invoice[],
  currency: string,
): ReadonlyMap<string, KnownArticle> {
  const articles = new Map<string, KnownArticle>()
  const isSame = (invoice: Invoice) => invoice.currency === currency
  const ordered = [...invoices.filter(isSame), ...invoices.filter((each) => !isSame(each))]
  const found = ordered.flatMap((invoice) =>
    invoice.lines.map((line) => ({ line, currency: invoice.currency })),
  )
  for (const article of found) {
    if (articles.size === articlesMax) break
    const { description } = article.line
    if (!articles.has(description)) articles.set(description, article)
  }
  return articles
}
