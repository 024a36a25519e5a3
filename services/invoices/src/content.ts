/** An invoice from what a client sent: content and issuer put together and totalled, as PENDING. */

import type { Invoice, InvoiceLine } from '@einvoicing/proto/invoice'
import type { InvoiceContent } from '@einvoicing/proto/invoice'
import type { UpdateInvoiceRequest } from '@einvoicing/proto/invoices'
import type { LegalMentions } from '@einvoicing/proto/invoice'
import { Refusal } from '@einvoicing/kernel/refusal'
import { computeTotals } from './totals'

export interface Identity {
  id: string
  organizationId: string
  /** ISO 8601 UTC. */
  createdAt: string
}

export function draftInvoice(
  content: InvoiceContent,
  issuer: LegalMentions,
  { id, organizationId, createdAt }: Identity,
): Invoice {
  return {
    ...content,
    ...computeTotals(content.lines, content.currency),
    id,
    organizationId,
    issuer,
    status: 'PENDING',
    createdAt,
    updatedAt: createdAt,
  }
}

const clearable = ['buyerIce', 'buyerName', 'buyerAddress', 'dueDate'] as const

/** The draft with only the given fields changed, totalled anew. Throws `VALIDATION_ERROR` where old and new do not fit together. */
export function editedInvoice(
  draft: Invoice,
  changes: UpdateInvoiceRequest,
  updatedAt: string,
): Invoice {
  const { invoiceId: _, issuer, cleared, lines, ...given } = changes
  const edited: Invoice = { ...draft, ...withoutAbsent(given), updatedAt }
  if (issuer?.mentions) edited.issuer = issuer.mentions
  for (const field of clearable) if (cleared.includes(field)) delete edited[field]
  refuseDueBeforeInvoiced(edited)
  const kept: InvoiceLine[] = lines.length > 0 ? lines : draft.lines
  return { ...edited, ...computeTotals(kept, edited.currency) }
}

function withoutAbsent<T extends object>(fields: T): { [K in keyof T]: NonNullable<T[K]> } {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as {
    [K in keyof T]: NonNullable<T[K]>
  }
}

function refuseDueBeforeInvoiced({ invoiceDate, dueDate }: Invoice): void {
  // YYYY-MM-DD sorts as text.
  if (dueDate === undefined || dueDate >= invoiceDate) return
  const message = `must not be before invoiceDate (${invoiceDate})`
  throw new Refusal('VALIDATION_ERROR', 'The changed invoice would not be valid.', {
    faults: [{ field: 'dueDate', message }],
  })
}
