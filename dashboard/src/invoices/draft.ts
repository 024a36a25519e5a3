/** Every field is text, parsed only when saved: the form never changes what the user typed. */

import { dayInMorocco } from '@einvoicing/domain/invoice-dates'
import {
  optionalTextFields,
  type OptionalTextField,
  type RequiredInvoiceField,
} from '@einvoicing/domain/invoice-fields'
import { limits } from '@einvoicing/domain/limits'
import { knownVatRates, vatRates } from '@einvoicing/profile/vat'
import type {
  Invoice,
  InvoiceContent,
  InvoiceLine,
  InvoiceLineContent,
  InvoiceType,
  PaymentMethod,
  ReferenceContent,
} from '../api/invoice'
import type { Language } from '../i18n/language'
import {
  toAdjustments,
  toLineAdjustments,
  toTypedAdjustments,
  type TypedAdjustment,
} from './typed-adjustments'
import { toExactly, toText, withoutBlanks } from './typed-numbers'

export type LineText =
  | 'itemCode'
  | 'orderLineNumber'
  | 'note'
  | 'description'
  | 'quantity'
  | 'unit'
  | 'unitPrice'
  | 'vatRate'
  | 'vatCategory'
  | 'vatExemptionReason'
  | 'servicePeriod.from'
  | 'servicePeriod.to'

export interface TypedLineFields extends Record<LineText, string> {
  /** `null` until a new line is saved. */
  lineNumber: number | null
  allowances: TypedAdjustment[]
  charges: TypedAdjustment[]
}

export interface TypedLine extends TypedLineFields {
  /** Stays with the line when lines move. */
  key: string
}

export interface TypedReference {
  key: string
  /** An invoice of the organization, until the number is changed. */
  id: string | null
  invoiceNumber: string
  invoiceDate: string
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

export const moreFields = optionalTextFields.filter(
  (name): name is MoreField => !(usualFields as readonly string[]).includes(name),
)

function readMore<Value>(read: (name: MoreField) => Value): Record<MoreField, Value> {
  return Object.fromEntries(moreFields.map((name) => [name, read(name)])) as Record<
    MoreField,
    Value
  >
}

export const partFields = [
  'servicePeriod.from',
  'servicePeriod.to',
  'paymentAccount.rib',
  'paymentAccount.iban',
  'paymentAccount.bic',
  'paymentAccount.name',
] as const
export type PartField = (typeof partFields)[number]

type Texts = TextField | PartField | 'prepaidAmount' | 'correctionReason' | 'vatWithholdingPercent'

export function readParts(read: (name: PartField) => string): Record<PartField, string> {
  return Object.fromEntries(partFields.map((name) => [name, read(name)])) as Record<
    PartField,
    string
  >
}

export interface TypedDraft extends Record<Texts, string> {
  type: InvoiceType
  paymentMethod: PaymentMethod
  stampDuty: boolean
  precedingInvoices: TypedReference[]
  allowances: TypedAdjustment[]
  charges: TypedAdjustment[]
  lines: TypedLine[]
}

let linesMade = 0

export const createLine = (fields: Partial<TypedLineFields> = {}): TypedLine => ({
  key: `line-${++linesMade}`,
  lineNumber: null,
  description: '',
  quantity: '1',
  unit: '',
  unitPrice: '',
  vatRate: String(Math.max(...vatRates)),
  vatCategory: '',
  vatExemptionReason: '',
  itemCode: '',
  orderLineNumber: '',
  note: '',
  'servicePeriod.from': '',
  'servicePeriod.to': '',
  allowances: [],
  charges: [],
  ...fields,
})

let referencesMade = 0

export const createReference = (fields: Partial<TypedReference> = {}): TypedReference => ({
  key: `reference-${++referencesMade}`,
  id: null,
  invoiceNumber: '',
  invoiceDate: '',
  ...fields,
})

export const isReferenceBlank = ({ id, invoiceNumber }: TypedReference): boolean =>
  id === null && invoiceNumber.trim() === ''

/** On receipts alone: none for a credit note. */
export const hasStampDuty = ({ type, stampDuty }: TypedDraft): boolean =>
  stampDuty && type !== 'CREDIT_NOTE'

export const isBlankLine = ({ description, unitPrice }: TypedLine): boolean =>
  description.trim() === '' && unitPrice.trim() === ''

export const isVatRate = (typed: string): boolean =>
  knownVatRates.some((rate) => String(rate) === typed)

/** Without the quantity, which differs in each invoice. */
export function toLineFields(line: InvoiceLine, language: Language): Partial<TypedLineFields> {
  return {
    description: line.description,
    unit: line.unit ?? '',
    unitPrice: toText(line.unitPrice, language),
    vatRate: String(line.vatRate),
    vatCategory: line.vatCategory ?? '',
    vatExemptionReason: line.vatExemptionReason ?? '',
  }
}

function toTypedLine(line: InvoiceLine, language: Language): TypedLine {
  return createLine({
    ...toLineFields(line, language),
    lineNumber: line.lineNumber,
    quantity: toText(line.quantity, language),
    itemCode: line.itemCode ?? '',
    orderLineNumber: line.orderLineNumber ?? '',
    note: line.note ?? '',
    'servicePeriod.from': line.servicePeriod?.from ?? '',
    'servicePeriod.to': line.servicePeriod?.to ?? '',
    allowances: toTypedAdjustments(line.allowances, language),
    charges: toTypedAdjustments(line.charges, language),
  })
}

/** Numbers that only count the lines follow their order; others were chosen by a program. */
function toTypedLines(lines: readonly InvoiceLine[], language: Language): TypedLine[] {
  const isCounted = lines.every(({ lineNumber }, index) => lineNumber === index + 1)
  const typed = lines.map((line) => toTypedLine(line, language))
  return isCounted ? typed.map((line) => ({ ...line, lineNumber: null })) : typed
}

export function createDraftForm(today: Date): TypedDraft {
  return {
    type: 'INVOICE',
    invoiceNumber: '',
    invoiceDate: dayInMorocco(today),
    dueDate: '',
    currency: 'MAD',
    paymentMethod: 'BANK_TRANSFER',
    buyerName: '',
    buyerIce: '',
    buyerAddress: '',
    purchaseOrderNumber: '',
    ...readMore(() => ''),
    ...readParts(() => ''),
    correctionReason: '',
    precedingInvoices: [],
    allowances: [],
    charges: [],
    prepaidAmount: '',
    stampDuty: false,
    vatWithholdingPercent: '',
    lines: [createLine()],
  }
}

export function toTypedDraft(invoice: Invoice, language: Language): TypedDraft {
  const { type, invoiceNumber, invoiceDate, dueDate, currency, paymentMethod } = invoice
  const { servicePeriod, paymentAccount } = invoice
  const parts = {
    'servicePeriod.from': servicePeriod?.from,
    'servicePeriod.to': servicePeriod?.to,
    'paymentAccount.rib': paymentAccount?.rib,
    'paymentAccount.iban': paymentAccount?.iban,
    'paymentAccount.bic': paymentAccount?.bic,
    'paymentAccount.name': paymentAccount?.name,
  }
  return {
    type,
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
    ...readParts((name) => parts[name] ?? ''),
    correctionReason: invoice.correctionReason ?? '',
    precedingInvoices: (invoice.precedingInvoices ?? []).map((each) => createReference(each)),
    allowances: toTypedAdjustments(invoice.allowances, language),
    charges: toTypedAdjustments(invoice.charges, language),
    prepaidAmount: toText(invoice.prepaidAmount ?? '', language),
    stampDuty: invoice.stampDuty === true,
    vatWithholdingPercent: String(invoice.vatWithholdingPercent ?? ''),
    lines: toTypedLines(invoice.lines, language),
  }
}

/** For a draft without errors. */
export function toContent(typed: TypedDraft, language: Language): InvoiceContent {
  const part = (name: PartField) => typed[name].trim() || null
  return {
    type: typed.type,
    invoiceNumber: typed.invoiceNumber.trim(),
    invoiceDate: typed.invoiceDate,
    dueDate: typed.dueDate || null,
    // These fields offer nothing else.
    currency: typed.currency as Invoice['currency'],
    paymentMethod: typed.paymentMethod,
    buyerName: typed.buyerName.trim() || null,
    buyerIce: withoutBlanks(typed.buyerIce) || null,
    buyerAddress: typed.buyerAddress.trim() || null,
    purchaseOrderNumber: typed.purchaseOrderNumber.trim() || null,
    ...(readMore((name) => typed[name].trim() || null) as Pick<InvoiceContent, MoreField>),
    servicePeriod: toFilled({ from: part('servicePeriod.from'), to: part('servicePeriod.to') }),
    paymentAccount: toFilled({
      rib: withoutBlanks(typed['paymentAccount.rib']) || null,
      iban: withoutBlanks(typed['paymentAccount.iban']) || null,
      bic: part('paymentAccount.bic'),
      name: part('paymentAccount.name'),
    }),
    correctionReason: typed.type === 'CREDIT_NOTE' ? typed.correctionReason.trim() || null : null,
    precedingInvoices: toReferences(typed.precedingInvoices),
    allowances: toAdjustments(typed.allowances, language),
    charges: toAdjustments(typed.charges, language),
    prepaidAmount: typed.prepaidAmount.trim()
      ? Number(toExactly(typed.prepaidAmount, language))
      : null,
    stampDuty: hasStampDuty(typed) || null,
    vatWithholdingPercent:
      typed.vatWithholdingPercent === '' ? null : Number(typed.vatWithholdingPercent),
    lines: numberLines(typed.lines).map((line) => toLineContent(line, language)),
  } satisfies Record<
    Exclude<keyof TypedDraft, PartField> | 'servicePeriod' | 'paymentAccount',
    unknown
  >
}

type NumberedLine = TypedLine & { lineNumber: number }

/** New lines follow the highest number; where that leads too far, they take free ones. */
function numberLines(lines: readonly TypedLine[]): NumberedLine[] {
  const used = new Set(lines.map(({ lineNumber }) => lineNumber ?? 0))
  const highest = Math.max(0, ...used)
  let last = highest + lines.length > limits.lineNumberMax ? 0 : highest
  const findFree = () => {
    do last += 1
    while (used.has(last))
    return last
  }
  return lines.map((line) => ({ ...line, lineNumber: line.lineNumber ?? findFree() }))
}

function toLineContent(line: NumberedLine, language: Language): InvoiceLineContent {
  const text = (name: LineText) => line[name].trim() || null
  const isZero = line.vatRate === '0'
  return {
    lineNumber: line.lineNumber,
    description: line.description.trim(),
    quantity: toExactly(line.quantity, language),
    unitPrice: toExactly(line.unitPrice, language),
    vatRate: Number(line.vatRate) as InvoiceLineContent['vatRate'],
    unit: text('unit'),
    // A category of its own belongs to the rate it was chosen for.
    vatCategory: isZero === (line.vatCategory !== 'S') ? line.vatCategory || null : null,
    vatExemptionReason: isZero ? text('vatExemptionReason') : null,
    itemCode: text('itemCode'),
    orderLineNumber: text('orderLineNumber'),
    note: text('note'),
    servicePeriod: toFilled({ from: text('servicePeriod.from'), to: text('servicePeriod.to') }),
    allowances: toLineAdjustments(line.allowances, language),
    charges: toLineAdjustments(line.charges, language),
  }
}

const toFilled = <Fields extends Record<string, string | null>>(fields: Fields): Fields | null =>
  Object.values(fields).some((value) => value !== null) ? fields : null

function toReferences(typed: readonly TypedReference[]): ReferenceContent[] | null {
  const filled = typed.filter((reference) => !isReferenceBlank(reference))
  if (filled.length === 0) return null
  return filled.map(({ id, invoiceNumber, invoiceDate }) => ({
    id,
    invoiceNumber: invoiceNumber.trim() || null,
    invoiceDate: invoiceDate || null,
  }))
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

const daysOff = 30
const dayMs = 86_400_000

/** So far from today that it may be a slip. */
export function isUnusualDate(invoiceDate: string, now: Date): boolean {
  const off = Math.abs(Date.parse(invoiceDate) - Date.parse(dayInMorocco(now)))
  return off > daysOff * dayMs
}
