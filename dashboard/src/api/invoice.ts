/** One invoice: all of it, what it went through, its documents, and what can be done with it. */

import { useQuery } from '@tanstack/react-query'
import { addressOf, call } from './connection'
import type { Exactly } from './exact-answer'
import { invoicesKey } from './invoices'
import type { Schemas } from './schemas'

type Line = Schemas['Invoice']['lines'][number]
export type InvoiceLine = Omit<Line, 'quantity' | 'unitPrice'> &
  Record<'quantity' | 'unitPrice', Exactly>
export type Invoice = Omit<Schemas['Invoice'], 'lines'> & { lines: InvoiceLine[] }
export type PaymentMethod = Invoice['paymentMethod']

export const paymentMethods = [
  'BANK_TRANSFER',
  'CASH',
  'CHECK',
  'CARD',
  'OTHER',
] as const satisfies PaymentMethod[]

export const vatRates = [20, 14, 10, 7, 0] as const satisfies InvoiceLine['vatRate'][]

/** What a person writes; the service computes the rest. */
export type InvoiceLineContent = Omit<InvoiceLine, 'amountHt'>
export type InvoiceContent = Omit<Pick<Invoice, keyof Schemas['InvoiceChanges']>, 'lines'> & {
  lines: InvoiceLineContent[]
}

export type ArtefactKind = 'pdf' | 'xml' | 'qr'

export const invoiceKey = (id: string) => [...invoicesKey, 'one', id] as const

export function useInvoice(id: string, isWanted = true) {
  return useQuery({
    queryKey: invoiceKey(id),
    queryFn: ({ signal }) => call<Invoice>('GET', pathOf(id), { signal }),
    enabled: isWanted,
  })
}

/** Oldest first. */
export function useTimeline(id: string) {
  return useQuery({
    queryKey: [...invoicesKey, 'timeline', id],
    queryFn: async ({ signal }) => {
      const { content } = await call<Schemas['Timeline']>('GET', `${pathOf(id)}/audit`, {
        signal,
      })
      return content
    },
  })
}

export const createDraft = (content: InvoiceContent) =>
  call<Invoice>('POST', '/invoices', { body: { ...content, draft: true } })

/** Refused with INVOICE_CHANGED when the draft is no longer the one last changed at `readAt`. */
export const updateDraft = (id: string, changes: Partial<InvoiceContent>, readAt: string) =>
  call<Invoice>('PUT', pathOf(id), { body: changes, headers: { 'If-Match': `"${readAt}"` } })

export const signInvoice = (id: string) => call<Invoice>('POST', `${pathOf(id)}/sign`)
export const cancelInvoice = (id: string) => call<Invoice>('DELETE', pathOf(id))
export const resubmitInvoice = (id: string) => call<Invoice>('POST', `${pathOf(id)}/resubmit`)

export const artefactAddress = (id: string, kind: ArtefactKind) =>
  addressOf(`${pathOf(id)}/${kind}`)

const pathOf = (id: string) => `/invoices/${encodeURIComponent(id)}`

/** Whether a document is there to be shown; it is then in the browser's keeping. */
export async function readArtefact(id: string, kind: ArtefactKind, signal: AbortSignal) {
  const answer = await fetch(artefactAddress(id, kind), { signal })
  if (!answer.ok) throw new Error(`HTTP ${answer.status}`)
  await answer.arrayBuffer()
  return true
}
