import { invoiceFields, toMaskPath, type InvoiceField } from '@einvoicing/domain/invoice-fields'
import { dueDateError, invoiceDateError } from '@einvoicing/domain/invoice-dates'
import { createValidationError } from '@einvoicing/domain/validation-error'
import type { Invoice, InvoiceContent, LegalMentions, Origin } from '@einvoicing/proto/invoice'
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

/**
 * The draft with the changed fields replaced, and totalled again. Throws `VALIDATION_ERROR` where
 * old and new values contradict each other.
 */
export function editDraft(draft: Invoice, request: UpdateInvoiceRequest, now: Date): Invoice {
  const { lines = draft.lines, ...changes } = readChanges(request)
  const { mentions: issuer = draft.issuer } = request.issuer ?? {}
  const edited = { ...draft, ...changes, issuer, updatedAt: changeMoment(now, draft) }
  assertDates(edited, now)
  return { ...edited, ...computeTotals(lines, edited.currency) }
}

// Does not compile while a field of the message is not declared.
const contentFields = Object.keys(
  invoiceFields satisfies Record<keyof InvoiceContent, string>,
) as InvoiceField[]
const fieldsByPath = new Map(contentFields.map((name) => [toMaskPath(name), name]))

/** A field that is `undefined` is cleared. */
type Changes = { [Name in InvoiceField]?: InvoiceContent[Name] | undefined }

function readChanges(request: UpdateInvoiceRequest): Partial<InvoiceContent> {
  const { content, updateMask } = request
  if (!content || !updateMask) return readFormerChanges(request)
  const names = updateMask.map((path) => {
    const name = fieldsByPath.get(path)
    // Rather than lose what a newer gateway sends.
    if (name === undefined) throw new Error(`unknown field in update_mask: ${path}`)
    return name
  })
  return pick(content, names)
}

/** What a gateway of 0.1 sends; to be removed in 0.3, with the deprecated fields. */
function readFormerChanges(request: UpdateInvoiceRequest): Partial<InvoiceContent> {
  const { cleared, lines, ...fields } = request
  const sent: Changes = { ...fields, lines: lines.length > 0 ? lines : undefined }
  const isChanged = (name: InvoiceField) => sent[name] !== undefined || cleared.includes(name)
  return pick(sent, contentFields.filter(isChanged))
}

function pick(content: Changes, names: readonly InvoiceField[]): Partial<InvoiceContent> {
  return Object.fromEntries(names.map((name) => [name, content[name]]))
}

/**
 * Throws `VALIDATION_ERROR` when the dates are out of bounds on the day of `now`. The gateway
 * checks what a client sends, this a stored draft, which an older version may have written.
 */
export function assertDates({ invoiceDate, dueDate }: InvoiceContent, now: Date): void {
  const errors = [['invoiceDate', invoiceDateError(invoiceDate, now)]]
  if (dueDate !== undefined) errors.push(['dueDate', dueDateError(invoiceDate, dueDate)])
  const fieldErrors = errors.flatMap(([field = '', message]) =>
    message ? [{ field, message }] : [],
  )
  if (fieldErrors.length > 0) throw createValidationError(fieldErrors)
}
