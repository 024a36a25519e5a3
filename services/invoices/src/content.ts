import type { FieldError } from '@einvoicing/domain/api-error'
import { invoiceFields, toMaskPath, type InvoiceField } from '@einvoicing/domain/invoice-fields'
import { findDateErrors } from '@einvoicing/domain/invoice-dates'
import { defaultInvoiceType } from '@einvoicing/domain/invoice-types'
import { createValidationError } from '@einvoicing/domain/validation-error'
import { findContentErrors } from '@einvoicing/profile/content-rules'
import type { Invoice, InvoiceContent, LegalMentions, Origin } from '@einvoicing/proto/invoice'
import type { UpdateInvoiceRequest } from '@einvoicing/proto/invoices'
import { changeMoment } from './change-invoice'
import { assertPayable, computeTotals } from './totals'

export interface Identity {
  id: string
  organizationId: string
  createdAt: string
  origin: Origin
}

export function draftInvoice(
  content: InvoiceContent,
  issuer: LegalMentions,
  { id, organizationId, createdAt, origin }: Identity,
): Invoice {
  const totals = computeTotals(content.lines, content.currency, content)
  const computed = Object.assign({}, content, totals)
  assertPayable(computed)
  const status = 'PENDING'
  return Object.assign(computed, {
    id,
    organizationId,
    issuer,
    status,
    createdAt,
    updatedAt: createdAt,
    origin,
  } as const)
}

interface Edit extends Pick<UpdateInvoiceRequest, 'issuer'> {
  changes: Partial<InvoiceContent>
}

/** Throws VALIDATION_ERROR when old and new values contradict each other. */
export function editDraft(draft: Invoice, edit: Edit, now: Date): Invoice {
  const { lines = draft.lines, ...changes } = edit.changes
  if ('type' in changes && changes.type !== draft.type) throw typeChanged(draft)
  const { mentions: issuer = draft.issuer } = edit.issuer ?? {}
  const edited = { ...draft, ...changes, issuer, updatedAt: changeMoment(now, draft) }
  // References, and the buyer taken from them, are checked in credit/references.
  if (!edited.precedingInvoices) assertContent({ ...edited, lines }, now)
  const totals = computeTotals(lines, edited.currency, { ...noAdjustments, ...edited })
  const computed = { ...edited, ...totals }
  assertPayable(computed)
  return computed
}

function typeChanged({ type = defaultInvoiceType }: Invoice) {
  const message = `cannot be changed: this document is ${type}; cancel it and create another`
  return createValidationError([{ field: 'type', message }])
}

// Does not compile while a field of the message is not declared.
const contentFields = Object.keys(
  invoiceFields satisfies Record<keyof InvoiceContent, string>,
) as InvoiceField[]
const fieldsByPath = new Map(contentFields.map((name) => [toMaskPath(name), name]))

const noAdjustments = { allowances: undefined }

type Changes = { [Name in InvoiceField]?: InvoiceContent[Name] | undefined }

export function readChanges(request: UpdateInvoiceRequest): Partial<InvoiceContent> {
  const { content, updateMask } = request
  if (!content || !updateMask) return readFormerChanges(request)
  const names = updateMask.map((path) => {
    const name = path.startsWith('lines.') ? 'lines' : fieldsByPath.get(path)
    // Ignoring it would lose what a newer gateway sends.
    if (name === undefined) throw new Error(`unknown field in update_mask: ${path}`)
    return name
  })
  return pick(content, names)
}

/** From a gateway of 0.1; remove in 0.3 with the deprecated fields. */
function readFormerChanges(request: UpdateInvoiceRequest): Partial<InvoiceContent> {
  const { cleared, lines, ...fields } = request
  const sent: Changes = { ...fields, lines: lines.length > 0 ? lines : undefined }
  const isChanged = (name: InvoiceField) => sent[name] !== undefined || cleared.includes(name)
  return pick(sent, contentFields.filter(isChanged))
}

function pick(content: Changes, names: readonly InvoiceField[]): Partial<InvoiceContent> {
  return Object.fromEntries(names.map((name) => [name, content[name]]))
}

/** The gateway checks requests; this also checks drafts stored by an older version. */
export function assertContent(content: InvoiceContent, now: Date): void {
  const fieldErrors = contentErrors(content, now)
  if (fieldErrors.length > 0) throw createValidationError(fieldErrors)
}

export function contentErrors(content: InvoiceContent, now: Date): FieldError[] {
  return [...findDateErrors(content, now), ...findContentErrors({ ...content })]
}
