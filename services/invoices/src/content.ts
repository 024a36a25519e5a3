/** An invoice from what a client sent: content and issuer put together and totalled, as PENDING. */

import { Refusal } from '@einvoicing/kernel/refusal'
import type {
  Invoice,
  InvoiceContent,
  InvoiceLine,
  LegalMentions,
  Origin,
} from '@einvoicing/proto/invoice'
import type { UpdateInvoiceRequest } from '@einvoicing/proto/invoices'
import { computeTotals } from './totals'

export interface Identity {
  id: string
  organizationId: string
  /** ISO 8601 UTC. */
  createdAt: string
  origin: Origin
}

export function draftInvoice(
  content: InvoiceContent,
  issuer: LegalMentions,
  { id, organizationId, createdAt, origin }: Identity,
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
    origin,
  }
}

// Which optional fields a client may set back to nothing.
const clearable = ['buyerIce', 'buyerName', 'buyerAddress', 'dueDate'] as const

/**
 * The draft with only the given fields changed, totalled anew. Throws `VALIDATION_ERROR` where old
 * and new do not fit together.
 */
export function editedInvoice(
  draft: Invoice,
  changes: UpdateInvoiceRequest,
  updatedAt: string,
): Invoice {
  const { issuer, cleared, lines } = changes
  const edited: Invoice = { ...draft, ...givenFields(changes), updatedAt }
  if (issuer?.mentions) edited.issuer = issuer.mentions
  for (const field of clearable) if (cleared.includes(field)) edited[field] = undefined
  refuseDueBeforeInvoiced(edited)
  const kept: InvoiceLine[] = lines.length > 0 ? lines : draft.lines
  return { ...edited, ...computeTotals(kept, edited.currency) }
}

function givenFields(changes: UpdateInvoiceRequest): Partial<Invoice> {
  const { invoiceNumber, invoiceDate, currency, paymentMethod } = changes
  const { buyerIce, buyerName, buyerAddress, dueDate } = changes
  const fields = { invoiceNumber, invoiceDate, currency, paymentMethod }
  const optional = { buyerIce, buyerName, buyerAddress, dueDate }
  const given = Object.entries({ ...fields, ...optional }).filter(
    ([, value]) => value !== undefined,
  )
  return Object.fromEntries(given)
}

function refuseDueBeforeInvoiced({ invoiceDate, dueDate }: Invoice): void {
  // YYYY-MM-DD sorts as text.
  if (dueDate === undefined || dueDate >= invoiceDate) return
  const message = `must not be before invoiceDate (${invoiceDate})`
  throw new Refusal(
    'VALIDATION_ERROR',
    'The changed invoice would not be valid: dueDate is at fault, see errors.',
    {
      faults: [{ field: 'dueDate', message }],
    },
  )
}
