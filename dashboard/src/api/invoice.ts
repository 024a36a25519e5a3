import type { KindField, StructureField, ValueField } from '@einvoicing/domain/invoice-fields'
import { useQuery } from '@tanstack/react-query'
import { call, callForFile, toUrl } from './connection'
import type { Exactly } from './exact-answer'
import { invoicesKey } from './invoices'
import type { Schemas } from './schemas'

type Line = Schemas['Invoice']['lines'][number]
export type InvoiceLine = Omit<Line, 'quantity' | 'unitPrice'> &
  Record<'quantity' | 'unitPrice', Exactly>
export type Invoice = Omit<Schemas['Invoice'], 'lines'> & { lines: InvoiceLine[] }
export type PaymentMethod = Invoice['paymentMethod']

/** The fields a user edits; the service computes the others. */
export type InvoiceLineContent = Omit<InvoiceLine, 'amountHt' | UneditedLineField> &
  Partial<Pick<InvoiceLine, UneditedLineField>>
export type InvoiceContent = Omit<
  Pick<Invoice, keyof Schemas['InvoiceChanges']>,
  'lines' | UneditedField
> & { lines: InvoiceLineContent[] } & Partial<Pick<Invoice, UneditedField>>

/** Not edited in the dashboard: an edit of other fields leaves them as they are. */
export type ContentField =
  Exclude<StructureField, 'precedingInvoices'> | Exclude<ValueField, 'prepaidAmount'>
export type UneditedField = ContentField | 'precedingInvoices' | KindField
export type UneditedLineField =
  | 'itemCode'
  | 'orderLineNumber'
  | 'note'
  | 'servicePeriod'
  | 'vatCategory'
  | 'allowances'
  | 'charges'

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

/** Oldest first. */
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

/** The PDF as it would be signed; nothing is stored. */
export const previewInvoice = (content: InvoiceContent) =>
  callForFile('POST', '/invoices/preview', { body: content })

/** Throws INVOICE_CHANGED if the draft was changed after `readAt`. */
export const updateDraft = (id: string, changes: Partial<InvoiceContent>, readAt: string) =>
  call<Invoice>('PUT', toPath(id), { body: changes, headers: { 'If-Match': `"${readAt}"` } })

export const signInvoice = (id: string) => call<Invoice>('POST', `${toPath(id)}/sign`)
export const cancelInvoice = (id: string) => call<Invoice>('DELETE', toPath(id))
export const resubmitInvoice = (id: string) => call<Invoice>('POST', `${toPath(id)}/resubmit`)

export const toArtefactUrl = (id: string, kind: ArtefactKind) => toUrl(`${toPath(id)}/${kind}`)

const toPath = (id: string) => `/invoices/${encodeURIComponent(id)}`

/** Throws if the document is not available; otherwise it is in the browser's cache. */
export async function readArtefact(id: string, kind: ArtefactKind, signal: AbortSignal) {
  const answer = await fetch(toArtefactUrl(id, kind), { signal })
  if (!answer.ok) throw new Error(`HTTP ${answer.status}`)
  await answer.arrayBuffer()
  return true
}
