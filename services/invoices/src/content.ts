/** An invoice from what a client sent: content and issuer put together and totalled, as PENDING. */

import { dueDateError, invoiceDateError } from '@einvoicing/domain/invoice-dates'
import { ApiError } from '@einvoicing/domain/api-error'
import type {
  Invoice,
  InvoiceContent,
  InvoiceLine,
  LegalMentions,
  Origin,
} from '@einvoicing/proto/invoice'
import type { UpdateInvoiceRequest } from '@einvoicing/proto/invoices'
import { changeMoment } from './change-invoice'
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
export function editedInvoice(draft: Invoice, changes: UpdateInvoiceRequest, now: Date): Invoice {
  const { issuer, cleared, lines } = changes
  const edited: Invoice = {
    ...draft,
    ...givenFields(changes),
    updatedAt: changeMoment(now, draft),
  }
  if (issuer?.mentions) edited.issuer = issuer.mentions
  for (const field of clearable) if (cleared.includes(field)) edited[field] = undefined
  assertDates(edited, now)
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

/**
 * VALIDATION_ERROR where the dates are out of bounds on the day of `now`: the gateway reports it of
 * what a client sends, this of a draft as it is stored, which an older version may have written.
 */
export function assertDates({ invoiceDate, dueDate }: InvoiceContent, now: Date): void {
  const errors = [['invoiceDate', invoiceDateError(invoiceDate, now)]]
  if (dueDate !== undefined) errors.push(['dueDate', dueDateError(invoiceDate, dueDate)])
  const faults = errors.flatMap(([field = '', message]) => (message ? [{ field, message }] : []))
  if (faults.length === 0) return
  const fields = faults.map(({ field }) => field).join(' and ')
  throw new ApiError(
    'VALIDATION_ERROR',
    `The invoice is not valid: correct ${fields}, see errors.`,
    {
      fieldErrors: faults,
    },
  )
}
