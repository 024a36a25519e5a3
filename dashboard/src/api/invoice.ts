import { useQueries, useQuery } from '@tanstack/react-query'
import { call, callForFile, toUrl } from './connection'
import type { Exactly } from './exact-answer'
import { invoicesKey } from './invoices'
import type { Schemas } from './schemas'

type Line = Schemas['Invoice']['lines'][number]
export type InvoiceLine = Omit<Line, 'quantity' | 'unitPrice'> &
  Record<'quantity' | 'unitPrice', Exactly>
export type Invoice = Omit<Schemas['Invoice'], 'lines'> & { lines: InvoiceLine[] }
export type PaymentMethod = Invoice['paymentMethod']
export type InvoiceType = Invoice['type']

/** Without what the service computes. */
export interface AdjustmentContent {
  amount: number | null
  percent: number | null
  reason: string
  reasonCode: string | null
  vatRate?: number | null
  vatCategory?: string | null
}

export interface ReferenceContent {
  id: string | null
  invoiceNumber: string | null
  invoiceDate: string | null
}

type Sent<Fields> = Omit<Fields, 'allowances' | 'charges' | 'precedingInvoices' | 'lines'> &
  Record<'allowances' | 'charges', AdjustmentContent[] | null>

export type InvoiceLineContent = Sent<Omit<InvoiceLine, 'amountHt'>>
export type InvoiceContent = Sent<Pick<Invoice, keyof Schemas['InvoiceChanges'] | 'type'>> & {
  precedingInvoices: ReferenceContent[] | null
  lines: InvoiceLineContent[]
}

export type ArtefactKind = 'pdf' | 'xml' | 'qr'

export const invoiceKey = (id: string) => [...invoicesKey, 'one', id] as const

export const readInvoice = (id: string, signal: AbortSignal) =>
  call<Invoice>('GET', toPath(id), { signal })

export function useInvoice(id: string, isWanted = true) {
  return useQuery({
    queryKey: invoiceKey(id),
    queryFn: ({ signal }) => readInvoice(id, signal),
    enabled: isWanted,
  })
}

/** Unreadable ones are left out. */
export function useInvoices(ids: readonly string[]): Invoice[] {
  return useQueries({
    queries: ids.map((id) => ({
      queryKey: invoiceKey(id),
      queryFn: ({ signal }: { signal: AbortSignal }) => readInvoice(id, signal),
    })),
    combine: (answers) => answers.flatMap(({ data }) => data ?? []),
  })
}

export function useTimeline(id: string) {
  return useQuery({
    queryKey: [...invoicesKey, 'timeline', id],
    queryFn: async ({ signal }) => {
      const { content } = await call<Schemas['Timeline']>('GET', `${toPath(id)}/audit`, {
        signal,
      })
      return content
    },
  })
}

export type NewInvoice = Schemas['NewInvoice']

/** Signed and sent at once. */
export const createInvoice = (body: NewInvoice) => call<Invoice>('POST', '/invoices', { body })

export const createDraft = (content: InvoiceContent) =>
  call<Invoice>('POST', '/invoices', { body: { ...content, draft: true } })

export const previewInvoice = (content: InvoiceContent) =>
  callForFile('POST', '/invoices/preview', { body: content, isSafe: true })

/** Throws INVOICE_CHANGED if the draft was changed after `readAt`. */
export const updateDraft = (id: string, changes: Partial<InvoiceContent>, readAt: string) =>
  call<Invoice>('PUT', toPath(id), { body: changes, headers: { 'If-Match': `"${readAt}"` } })

/** Throws INVOICE_CHANGED if the draft was changed after `updatedAt`. */
export const signInvoice = ({ id, updatedAt }: Invoice) =>
  call<Invoice>('POST', `${toPath(id)}/sign`, { headers: { 'If-Match': `"${updatedAt}"` } })
export const cancelInvoice = ({ id, updatedAt }: Invoice) =>
  call<Invoice>('DELETE', toPath(id), { headers: { 'If-Match': `"${updatedAt}"` } })
export const resubmitInvoice = ({ id }: Invoice) => call<Invoice>('POST', `${toPath(id)}/resubmit`)

export const toArtefactUrl = (id: string, kind: ArtefactKind) => toUrl(`${toPath(id)}/${kind}`)

const toPath = (id: string) => `/invoices/${encodeURIComponent(id)}`

/** Throws if the document is not available; otherwise it is in the browser's cache. */
export const readArtefact = (id: string, kind: ArtefactKind, signal: AbortSignal) =>
  callForFile('GET', `${toPath(id)}/${kind}`, { signal, isKept: true })
