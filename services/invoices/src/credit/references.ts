import type { FieldError } from '@einvoicing/domain/api-error'
import { optionalTextFields } from '@einvoicing/domain/invoice-fields'
import { createValidationError } from '@einvoicing/domain/validation-error'
import { country as home } from '@einvoicing/profile/identifiers'
import type { Invoice, InvoiceContent, PrecedingInvoice } from '@einvoicing/proto/invoice'
import { assertContent, contentErrors } from '../content'
import type { Deps } from '../deps'
import { listByNumber } from '../number'

export interface Resolved<Content> {
  content: Content
  /** Without lines, in the order of the references; without those issued with another system. */
  originals: readonly Invoice[]
}

// May differ from the original's: each document has a reference of its own.
const ownFields = ['buyerReference', 'buyerType'] as const
type OwnField = (typeof ownFields)[number]
const comparedFields = optionalTextFields.filter(
  (name) => name.startsWith('buyer') && !ownFields.some((own) => own === name),
)

export async function checkContent(
  deps: Pick<Deps, 'store' | 'now'>,
  organizationId: string,
  content: InvoiceContent,
): Promise<Resolved<InvoiceContent>> {
  if (content.precedingInvoices) return resolve(deps, content, { organizationId, own: ownFields })
  assertContent(content, deps.now())
  return { content, originals: [] }
}

/** Throws VALIDATION_ERROR with every error of the draft and of its references. */
export async function resolveReferences(
  deps: Pick<Deps, 'store' | 'now'>,
  draft: Invoice,
): Promise<Resolved<Invoice>> {
  return resolve(deps, draft, { organizationId: draft.organizationId, own: [] })
}

/** `ownFields` copied from the former original go with it. Throws as `resolveReferences`. */
export async function resolveEdited(
  deps: Pick<Deps, 'store' | 'now'>,
  edited: Invoice,
  { seen, changed }: { seen: Invoice; changed: readonly string[] },
): Promise<Invoice> {
  const { organizationId } = seen
  const isMoved = seen.type === 'CREDIT_NOTE' && changed.includes('precedingInvoices')
  const former = isMoved ? (await findAll(deps, organizationId, seen)).find(Boolean) : undefined
  const copied = ownFields.filter(
    (name) => isMoved && !changed.includes(name) && edited[name] === former?.[name],
  )
  const rest = { ...edited, ...Object.fromEntries(copied.map((name) => [name, undefined])) }
  return (await resolve(deps, rest, { organizationId, own: copied })).content
}

async function resolve<Content extends InvoiceContent & { id?: string }>(
  deps: Pick<Deps, 'store' | 'now'>,
  content: Content,
  { organizationId, own }: { organizationId: string; own: readonly OwnField[] },
): Promise<Resolved<Content>> {
  const items = content.precedingInvoices?.items ?? []
  const found = await findAll(deps, organizationId, content)
  const originals = found.filter((each) => each !== undefined)
  const filled = fillIn(content, found, [...comparedFields, ...own])
  const isCreditNote = content.type === 'CREDIT_NOTE'
  const errors = [
    ...contentErrors(filled, deps.now()),
    ...items.flatMap((item, index) => referenceErrors(content, item, { found, index })),
    ...(isCreditNote ? [...creditErrors(content, originals), ...buyerErrors(content, found)] : []),
  ]
  if (errors.length > 0) throw createValidationError(errors)
  return { content: filled, originals }
}

async function findAll(
  deps: Pick<Deps, 'store'>,
  organizationId: string,
  document: InvoiceContent & { id?: string },
): Promise<(Invoice | undefined)[]> {
  const items = document.precedingInvoices?.items ?? []
  const found = await Promise.all(items.map((item) => findHeld(deps, organizationId, item)))
  return items.map((item, index) => {
    const each = found[index]
    return each && isItself(each, document, item) ? undefined : each
  })
}

/** No document is its own original. By its number, a repeated request finds what it created. */
function isItself(
  found: Invoice,
  document: InvoiceContent & { id?: string },
  { id, invoiceDate }: PrecedingInvoice,
): boolean {
  if (found.id === document.id) return true
  const hasItsNumber = normalize(found.invoiceNumber) === normalize(document.invoiceNumber)
  const isOtherDate = invoiceDate !== undefined && invoiceDate !== found.invoiceDate
  return hasItsNumber && isOtherDate && id === undefined
}

async function findHeld(
  deps: Pick<Deps, 'store'>,
  organizationId: string,
  item: PrecedingInvoice,
): Promise<Invoice | undefined> {
  if (item.id !== undefined) return deps.store.getWithoutLines(organizationId, item.id)
  return (await listByNumber(deps, organizationId, item))[0]
}

function fillIn<Content extends InvoiceContent>(
  content: Content,
  found: readonly (Invoice | undefined)[],
  copied: readonly (typeof optionalTextFields)[number][],
): Content {
  const items = content.precedingInvoices?.items.map((item, index): PrecedingInvoice => {
    const { id, invoiceNumber, invoiceDate } = found[index] ?? item
    return { ...item, id, invoiceNumber, invoiceDate }
  })
  const original = found.find((each) => each !== undefined)
  const isTaken = content.type === 'CREDIT_NOTE' && original !== undefined
  const missing = isTaken ? copied.filter((name) => content[name] === undefined) : []
  const taken = missing.flatMap((name) => {
    const value = original?.[name]
    return value === undefined ? [] : [[name, value] as const]
  })
  return {
    ...content,
    ...(items && { precedingInvoices: { items } }),
    ...Object.fromEntries(taken),
  }
}

function referenceErrors(
  document: InvoiceContent & { id?: string },
  item: PrecedingInvoice,
  { found, index }: { found: readonly (Invoice | undefined)[]; index: number },
): FieldError[] {
  const at = (name: string) => `precedingInvoices[${index}].${name}`
  const held = found[index]
  const { id, invoiceNumber, invoiceDate } = item
  if (!held) {
    const named = id === undefined ? 'invoiceNumber' : 'id'
    // Another system may have used its number, on another date.
    const isDated = invoiceDate !== undefined && invoiceDate !== document.invoiceDate
    const isSame = normalize(item[named]) === normalize(document[named])
    if (isSame && !(isDated && id === undefined)) {
      return [{ field: at(named), message: 'is this document itself: name an earlier one' }]
    }
    if (id !== undefined) {
      return [{ field: at('id'), message: `is not an invoice of your organization; got ${id}` }]
    }
    const message = `is required: your organization has no invoice numbered ${invoiceNumber}`
    return invoiceDate === undefined ? [{ field: at('invoiceDate'), message }] : []
  }
  const first = found.findIndex((other) => other?.id === held.id)
  const errors: FieldError[] = []
  if (first < index) {
    const message = `must be unique; precedingInvoices[${first}] is the same invoice`
    errors.push({ field: `precedingInvoices[${index}]`, message })
  }
  const differs = (stated: string | undefined, known: string) =>
    stated !== undefined && normalize(stated) !== normalize(known)
  if (differs(invoiceNumber, held.invoiceNumber)) {
    const message = `must be that of the invoice, ${held.invoiceNumber}; got ${invoiceNumber}`
    errors.push({ field: at('invoiceNumber'), message })
  }
  if (differs(invoiceDate, held.invoiceDate)) {
    const message = `must be that of the invoice, ${held.invoiceDate}; got ${invoiceDate}`
    errors.push({ field: at('invoiceDate'), message })
  }
  return errors
}

const normalize = (text: string | undefined) => text?.normalize('NFC')

function creditErrors(note: InvoiceContent, originals: readonly Invoice[]): FieldError[] {
  const errors: FieldError[] = []
  const other = originals.find(({ currency }) => currency !== note.currency)
  if (other) {
    const message = `must be that of invoice ${other.invoiceNumber}, ${other.currency}; got ${note.currency}`
    errors.push({ field: 'currency', message })
  }
  const dates = [
    ...originals,
    ...(note.precedingInvoices?.items ?? []).filter(({ id }) => id === undefined),
  ]
  const later = dates.find(({ invoiceDate = '' }) => invoiceDate > note.invoiceDate)
  if (later) {
    const message = `must not be before that of invoice ${later.invoiceNumber} (${later.invoiceDate}); got ${note.invoiceDate}`
    errors.push({ field: 'invoiceDate', message })
  }
  return errors
}

function buyerErrors(note: InvoiceContent, found: readonly (Invoice | undefined)[]): FieldError[] {
  const original = found.find((each) => each !== undefined)
  if (!original) return []
  const { invoiceNumber } = original
  const stated = comparedFields.flatMap((field): FieldError[] => {
    const known = original[field] ?? (field === 'buyerCountry' ? home : undefined)
    if (note[field] === undefined || note[field] === known) return []
    const rest = known === undefined ? ', which has none' : `: ${known}`
    return [{ field, message: `must be that of invoice ${invoiceNumber}${rest}` }]
  })
  const others = found.flatMap((other, index): FieldError[] => {
    if (!other || isSameBuyer(original, other)) return []
    const message = `must have the buyer of invoice ${invoiceNumber}: a credit note has one buyer`
    return [{ field: `precedingInvoices[${index}]`, message }]
  })
  return [...stated, ...others]
}

/** An address, and the spelling of a name, may change from one invoice to the next. */
function isSameBuyer(one: Invoice, other: Invoice): boolean {
  const identifiers = ['buyerIce', 'buyerIf'] as const
  const identifier = identifiers.find((name) => one[name] && other[name]) ?? 'buyerName'
  return one[identifier] === other[identifier]
}
