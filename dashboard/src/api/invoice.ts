/** One invoice: all of it, what it went through, its documents, and what can be done with it. */

import { useQuery } from '@tanstack/react-query'
import type { AuditEntry } from './audit'
import { addressOf, call } from './connection'
import { invoicesKey, type ListedInvoice } from './invoices'

export const paymentMethods = ['BANK_TRANSFER', 'CASH', 'CHECK', 'CARD', 'OTHER'] as const

export type PaymentMethod = (typeof paymentMethods)[number]

export const vatRates = [20, 14, 10, 7, 0] as const

/** What a person writes; the service computes the rest. */
export interface InvoiceLineContent {
  lineNumber: number
  description: string
  quantity: number
  unitPrice: number
  /** Percent. */
  vatRate: number
  unit: string | null
  vatExemptionReason: string | null
}

export interface InvoiceContent {
  invoiceNumber: string
  /** `YYYY-MM-DD`. */
  invoiceDate: string
  dueDate: string | null
  /** ISO 4217. */
  currency: string
  paymentMethod: PaymentMethod
  buyerName: string | null
  buyerIce: string | null
  buyerAddress: string | null
  lines: InvoiceLineContent[]
}

export interface InvoiceLine extends InvoiceLineContent {
  amountHt: number
}

export interface Invoice extends ListedInvoice, Omit<InvoiceContent, 'lines'> {
  issuerName: string
  issuerIce: string
  dgiReference: string | null
  /** Where anybody can see whether the invoice is genuine. */
  dgiQrCode: string | null
  lines: InvoiceLine[]
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
      const { content } = await call<{ content: AuditEntry[] }>('GET', `${pathOf(id)}/audit`, {
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
