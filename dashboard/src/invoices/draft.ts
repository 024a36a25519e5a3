/**
 * A draft as it is typed: every field is text and is parsed only when saved, so that the form never
 * changes what the user typed.
 */

import { Decimal } from '@einvoicing/domain/decimal'
import { dayInMorocco, dueDateError, invoiceDateError } from '@einvoicing/domain/invoice-dates'
import {
  optionalTextFields,
  type OptionalTextField,
  type RequiredInvoiceField,
} from '@einvoicing/domain/invoice-fields'
import { isIce } from '@einvoicing/domain/legal-mentions'
import { limits } from '@einvoicing/domain/limits'
import { vatRates } from '@einvoicing/profile/vat'
import {
  type ContentField,
  type Invoice,
  type InvoiceContent,
  type InvoiceLine,
  type InvoiceLineContent,
  type UneditedLineField,
  type PaymentMethod,
} from '../api/invoice'
import type { Exactly } from '../api/exact-answer'
import type { Catalogue } from '../i18n/catalogue'
import type { Language } from '../i18n/language'

export interface TypedLineFields {
  description: string
  quantity: string
  unit: string
  unitPrice: string
  vatRate: string
  vatExemptionReason: string
}

export interface TypedLine extends TypedLineFields {
  /** Stays with the line when lines move. */
  key: string
  /** Not edited here, and sent back as it was. */
  unedited?: Pick<InvoiceLine, UneditedLineField>
}

export type TextField = Exclude<RequiredInvoiceField, 'lines'> | OptionalTextField

const usualFields = [
  'dueDate',
  'buyerIce',
  'buyerName',
  'buyerAddress',
  'purchaseOrderNumber',
] as const satisfies readonly OptionalTextField[]

export type MoreField = Exclude<OptionalTextField, (typeof usualFields)[number]>

/** The fields that few invoices have. */
export const moreFields = optionalTextFields.filter(
  (name): name is MoreField => !(usualFields as readonly string[]).includes(name),
)

function readMore<Value>(read: (name: MoreField) => Value): Record<MoreField, Value> {
  return Object.fromEntries(moreFields.map((name) => [name, read(name)])) as Record<
    MoreField,
    Value
  >
}

export interface TypedDraft extends Record<TextField | 'prepaidAmount', string> {
  paymentMethod: PaymentMethod
  lines: TypedLine[]
  /** Not edited here, and sent back as it was. */
  unedited?: Pick<Invoice, ContentField>
}

let linesMade = 0

export const createLine = (fields: Partial<TypedLineFields> = {}): TypedLine => ({
  key: `line-${++linesMade}`,
  description: '',
  quantity: '1',
  unit: '',
  unitPrice: '',
  vatRate: String(Math.max(...vatRates)),
  vatExemptionReason: '',
  ...fields,
})

export const isBlankLine = ({ description, unitPrice }: TypedLine): boolean =>
  description.trim() === '' && unitPrice.trim() === ''

/** All but the quantity, which is of one invoice. */
export function toLineFields(line: InvoiceLine, language: Language): Partial<TypedLineFields> {
  return {
    description: line.description,
    unit: line.unit ?? '',
    unitPrice: toText(line.unitPrice, language),
    vatRate: String(line.vatRate),
    vatExemptionReason: line.vatExemptionReason ?? '',
  }
}

export function createDraftForm(today: Date): TypedDraft {
  const day = [today.getFullYear(), today.getMonth() + 1, today.getDate()]
    .map((part) => String(part).padStart(2, '0'))
    .join('-')
  return {
    invoiceNumber: '',
    invoiceDate: day,
    dueDate: '',
    currency: 'MAD',
    paymentMethod: 'BANK_TRANSFER',
    buyerName: '',
    buyerIce: '',
    buyerAddress: '',
    purchaseOrderNumber: '',
    ...readMore(() => ''),
    prepaidAmount: '',
    lines: [createLine()],
  }
}

export function toTypedDraft(invoice: Invoice, language: Language): TypedDraft {
  const { invoiceNumber, invoiceDate, dueDate, currency, paymentMethod } = invoice
  return {
    invoiceNumber,
    invoiceDate,
    dueDate: dueDate ?? '',
    currency,
    paymentMethod,
    buyerName: invoice.buyerName ?? '',
    buyerIce: invoice.buyerIce ?? '',
    buyerAddress: invoice.buyerAddress ?? '',
    purchaseOrderNumber: invoice.purchaseOrderNumber ?? '',
    ...readMore((name) => invoice[name] ?? ''),
    prepaidAmount: toText(invoice.prepaidAmount ?? '', language),
    unedited: pickUneditedFields(invoice),
    lines: invoice.lines.map((line) => ({
      ...createLine({ ...toLineFields(line, language), quantity: toText(line.quantity, language) }),
      unedited: pickUnedited(line),
    })),
  }
}

function pickUneditedFields(invoice: Invoice): Pick<Invoice, ContentField> {
  const { servicePeriod, paymentAccount, stampDuty, vatWithholdingPercent } = invoice
  return {
    ...{ servicePeriod, paymentAccount, stampDuty, vatWithholdingPercent },
    allowances: withoutComputed(invoice.allowances),
    charges: withoutComputed(invoice.charges),
  }
}

function pickUnedited(line: InvoiceLine): Pick<InvoiceLine, UneditedLineField> {
  const { itemCode, orderLineNumber, note, servicePeriod, vatCategory } = line
  return {
    ...{ itemCode, orderLineNumber, note, servicePeriod, vatCategory },
    allowances: withoutComputed(line.allowances),
    charges: withoutComputed(line.charges),
  }
}

/** The service computes the amount of a percentage: as it is sent, not as it is answered. */
function withoutComputed<Item extends { percent: number | null; amount: number }>(
  items: Item[] | null,
): Item[] | null {
  const remove = ({ percent, amount }: Item) => (percent === null ? amount : null)
  return items?.map((item) => ({ ...item, amount: remove(item) })) ?? null
}

/** For a draft without errors. Lines are numbered in their order. */
export function toContent(typed: TypedDraft, language: Language): InvoiceContent {
  return {
    invoiceNumber: typed.invoiceNumber.trim(),
    invoiceDate: typed.invoiceDate,
    dueDate: typed.dueDate || null,
    // Fields of choice offer nothing else.
    currency: typed.currency as Invoice['currency'],
    paymentMethod: typed.paymentMethod,
    buyerName: typed.buyerName.trim() || null,
    buyerIce: withoutBlanks(typed.buyerIce) || null,
    buyerAddress: typed.buyerAddress.trim() || null,
    purchaseOrderNumber: typed.purchaseOrderNumber.trim() || null,
    ...(readMore((name) => typed[name].trim() || null) as Pick<InvoiceContent, MoreField>),
    ...typed.unedited,
    prepaidAmount: typed.prepaidAmount.trim()
      ? Number(toExactly(typed.prepaidAmount, language))
      : null,
    lines: typed.lines.map((line, index): InvoiceLineContent => ({
      lineNumber: index + 1,
      description: line.description.trim(),
      quantity: toExactly(line.quantity, language),
      unitPrice: toExactly(line.unitPrice, language),
      vatRate: Number(line.vatRate) as InvoiceLineContent['vatRate'],
      unit: line.unit.trim() || null,
      vatExemptionReason: line.vatRate === '0' ? line.vatExemptionReason.trim() || null : null,
      ...line.unedited,
    })),
  } satisfies Record<TextField | 'prepaidAmount' | 'lines', unknown>
}

/** Only what differs, so that fields left alone are not written again. */
export function findChanges(
  before: InvoiceContent,
  after: InvoiceContent,
): Partial<InvoiceContent> {
  const names = Object.keys(after) as (keyof InvoiceContent)[]
  const changed = names.filter(
    (name) => JSON.stringify(before[name]) !== JSON.stringify(after[name]),
  )
  return Object.fromEntries(changed.map((name) => [name, after[name]]))
}

type Messages = Catalogue['draft']['errors']

/** By path, as `lines.0.quantity`: what the service would refuse. */
export function findErrors(typed: TypedDraft, language: Language, messages: Messages) {
  const errors: Record<string, string> = {}
  if (typed.invoiceNumber.trim() === '') errors['invoiceNumber'] = messages.required
  Object.assign(errors, findDateErrors(typed, messages))
  const ice = withoutBlanks(typed.buyerIce)
  if (ice !== '' && !isIce(ice)) errors['buyerIce'] = messages.ice
  if (ice !== '' && typed.buyerName.trim() === '') errors['buyerName'] = messages.buyerName
  if (typed.prepaidAmount.trim() !== '') {
    const error = findDecimalError(typed.prepaidAmount, language, messages)
    if (error !== undefined) errors['prepaidAmount'] = error
  }
  typed.lines.forEach((line, index) => {
    const at = (name: keyof TypedLine) => `lines.${index}.${name}`
    if (line.description.trim() === '') errors[at('description')] = messages.required
    for (const name of ['description', 'unit', 'vatExemptionReason'] as const) {
      if ([...line[name].trim()].length > lengths[name])
        errors[at(name)] = messages.long(lengths[name])
    }
    for (const name of ['quantity', 'unitPrice'] as const) {
      const error = findDecimalError(line[name], language, messages)
      if (error !== undefined) errors[at(name)] = error
    }
    if (readDecimal(line.quantity, language)?.isZero) errors[at('quantity')] = messages.positive
  })
  return errors
}

// A pasted text is longer than what may be typed.
const lengths = {
  description: limits.lineDescriptionLength,
  unit: limits.lineUnitLength,
  vatExemptionReason: limits.vatExemptionReasonLength,
}

function findDateErrors({ invoiceDate, dueDate }: TypedDraft, messages: Messages) {
  if (invoiceDate === '') return { invoiceDate: messages.required }
  const errors: Record<string, string> = {}
  if (invoiceDateError(invoiceDate, new Date()) !== undefined) {
    errors['invoiceDate'] = messages.invoiceDate
  }
  if (dueDate !== '' && dueDateError(invoiceDate, dueDate) !== undefined) {
    errors['dueDate'] = dueDate < invoiceDate ? messages.dueDate : messages.dueDateLate
  }
  return errors
}

function findDecimalError(typed: string, language: Language, messages: Messages) {
  if (typed.trim() === '') return messages.required
  const decimal = readDecimal(typed, language)
  if (!decimal) return messages.decimal
  return fitsNumber(decimal) ? undefined : messages.digits
}

export function readDecimal(typed: string, language: Language): Decimal | undefined {
  const text = toPlainNotation(typed, language)
  return plainDecimal.test(text) ? Decimal.parse(text) : undefined
}

// In English a comma separates thousands, in French it begins the fraction: only that is read so.
function toPlainNotation(typed: string, language: Language): string {
  const text = withoutBlanks(typed)
  return language === 'fr' ? text.replace(',', '.') : text
}

const plainDecimal = /^\d{1,30}(?:\.\d{1,30})?$/

/** Whether the service takes it, and a JSON number carries all its digits. */
function fitsNumber(decimal: Decimal): boolean {
  return (
    decimal.integerDigits <= limits.quantityIntegerDigits &&
    decimal.scale <= limits.quantityFractionDigits &&
    decimal.unscaled.toString().length <= limits.amountSignificantDigits
  )
}

// What was stored with more digits than may be typed here stays different from all that may.
function toExactly(typed: string, language: Language): Exactly {
  const decimal = readDecimal(typed, language)
  const text = toPlainNotation(typed, language)
  return decimal && !fitsNumber(decimal) ? text : Number(text)
}

function toText(value: Exactly, language: Language): string {
  const text =
    typeof value === 'string'
      ? value
      : value.toLocaleString('en', { maximumFractionDigits: 10, useGrouping: false })
  return language === 'fr' ? text.replace('.', ',') : text
}

const withoutBlanks = (text: string) => text.replace(/\s/g, '')

const daysOff = 30
const dayMs = 86_400_000

/** Whether the date is so far from today that it may be a slip. */
export function isUnusualDate(invoiceDate: string, now: Date): boolean {
  const off = Math.abs(Date.parse(invoiceDate) - Date.parse(dayInMorocco(now)))
  return off > daysOff * dayMs
}
