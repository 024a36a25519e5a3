/**
 * A draft as it is typed: every field a text, read into what the service takes only when it is
 * saved, so that nothing typed is ever changed under the writer's hands.
 */

import {
  vatRates,
  type Invoice,
  type InvoiceContent,
  type InvoiceLineContent,
  type PaymentMethod,
} from '../api/invoice'
import type { Exactly } from '../api/exact-answer'
import type { Catalogue } from '../i18n/catalogue'
import { minorUnitDigits } from '../i18n/currencies'
import type { Language } from '../i18n/language'
import { dateErrors } from './date-checks'
import { isIce } from './list-filter'
import { lineAmount, readExact, totalsOf, type Exact, type Totals } from './totals'

export interface TypedLine {
  /** Stays with the line when lines move. */
  key: string
  description: string
  quantity: string
  unit: string
  unitPrice: string
  vatRate: string
  vatExemptionReason: string
}

export interface TypedDraft {
  invoiceNumber: string
  invoiceDate: string
  dueDate: string
  currency: string
  paymentMethod: PaymentMethod
  buyerName: string
  buyerIce: string
  buyerAddress: string
  lines: TypedLine[]
}

/** The service's own (specification, section 2.4). */
export const lengthsMax = {
  invoiceNumber: 64,
  buyerName: 256,
  buyerAddress: 512,
  description: 512,
  unit: 32,
  vatExemptionReason: 256,
} as const

const integerDigitsMax = 12
const fractionDigitsMax = 10
/** As many as a JSON number carries. */
const significantDigitsMax = 15

export const emptyLine = (): TypedLine => ({
  key: crypto.randomUUID(),
  description: '',
  quantity: '1',
  unit: '',
  unitPrice: '',
  vatRate: String(vatRates[0]),
  vatExemptionReason: '',
})

export function emptyDraft(today: Date): TypedDraft {
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
    lines: [emptyLine()],
  }
}

export function typedOf(invoice: Invoice, language: Language): TypedDraft {
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
    lines: invoice.lines.map((line) => ({
      key: crypto.randomUUID(),
      description: line.description,
      quantity: textOf(line.quantity, language),
      unit: line.unit ?? '',
      unitPrice: textOf(line.unitPrice, language),
      vatRate: String(line.vatRate),
      vatExemptionReason: line.vatExemptionReason ?? '',
    })),
  }
}

/** For what has no faults. Lines are numbered in their order. */
export function contentOf(typed: TypedDraft, language: Language): InvoiceContent {
  return {
    invoiceNumber: typed.invoiceNumber.trim(),
    invoiceDate: typed.invoiceDate,
    dueDate: typed.dueDate || null,
    // Fields of choice offer nothing else.
    currency: typed.currency as Invoice['currency'],
    paymentMethod: typed.paymentMethod,
    buyerName: typed.buyerName.trim() || null,
    buyerIce: iceOf(typed) || null,
    buyerAddress: typed.buyerAddress.trim() || null,
    lines: typed.lines.map((line, index): InvoiceLineContent => ({
      lineNumber: index + 1,
      description: line.description.trim(),
      quantity: exactly(plain(line.quantity, language)),
      unitPrice: exactly(plain(line.unitPrice, language)),
      vatRate: Number(line.vatRate) as InvoiceLineContent['vatRate'],
      unit: line.unit.trim() || null,
      vatExemptionReason: line.vatRate === '0' ? line.vatExemptionReason.trim() || null : null,
    })),
  }
}

/** Only what differs, so that what nobody touched is not written again. */
export function changesOf(before: InvoiceContent, after: InvoiceContent): Partial<InvoiceContent> {
  const names = Object.keys(after) as (keyof InvoiceContent)[]
  const changed = names.filter(
    (name) => JSON.stringify(before[name]) !== JSON.stringify(after[name]),
  )
  return Object.fromEntries(changed.map((name) => [name, after[name]]))
}

type Faults = Catalogue['draft']['faults']

/** By path, as `lines.0.quantity`. What the service would say anyway, said before. */
export function faultsOf(typed: TypedDraft, language: Language, faults: Faults) {
  const found: Record<string, string> = {}
  if (typed.invoiceNumber.trim() === '') found['invoiceNumber'] = faults.needed
  Object.assign(found, dateErrors(typed, faults, new Date()))
  if (iceOf(typed) !== '' && !isIce(iceOf(typed))) found['buyerIce'] = faults.ice
  typed.lines.forEach((line, index) => {
    const at = (name: keyof TypedLine) => `lines.${index}.${name}`
    if (line.description.trim() === '') found[at('description')] = faults.needed
    for (const name of ['quantity', 'unitPrice'] as const) {
      const fault = decimalFault(line[name], language, faults)
      if (fault !== undefined) found[at(name)] = fault
    }
    const quantity = readExact(plain(line.quantity, language))
    if (quantity?.units === 0n) found[at('quantity')] = faults.positive
  })
  return found
}

/** `undefined` for a line whose numbers cannot be read yet. */
export function lineAmountOf(
  line: TypedLine,
  currency: string,
  language: Language,
): bigint | undefined {
  const quantity = readExact(plain(line.quantity, language))
  const unitPrice = readExact(plain(line.unitPrice, language))
  if (!quantity || !unitPrice) return undefined
  return lineAmount(quantity, unitPrice, minorUnitDigits(currency))
}

export function previewOf(typed: TypedDraft, language: Language): Totals {
  return totalsOf(
    typed.lines.map((line) => ({
      vatRate: Number(line.vatRate),
      amount: lineAmountOf(line, typed.currency, language) ?? 0n,
    })),
  )
}

function decimalFault(typed: string, language: Language, faults: Faults): string | undefined {
  if (typed.trim() === '') return faults.needed
  const exact = readExact(plain(typed, language))
  if (!exact) return faults.decimal
  return fits(exact) ? undefined : faults.digits
}

function fits({ units, scale }: Exact): boolean {
  const digits = units.toString().padStart(scale + 1, '0')
  const integer = digits.slice(0, digits.length - scale)
  const fraction = scale === 0 ? '' : digits.slice(-scale).replace(/0+$/, '')
  return (
    integer.length <= integerDigitsMax &&
    fraction.length <= fractionDigitsMax &&
    `${integer}${fraction}`.replace(/^0+/, '').length <= significantDigitsMax
  )
}

/** In English a comma parts thousands, in French it begins the fraction: only that is read so. */
function plain(typed: string, language: Language): string {
  const bare = typed.replace(/\s/g, '')
  return language === 'fr' ? bare.replace(',', '.') : bare
}

/** What was stored with more digits than may be typed here stays different from all that may. */
function exactly(text: string): Exactly {
  const exact = readExact(text)
  return exact && !fits(exact) ? text : Number(text)
}

function textOf(value: Exactly, language: Language): string {
  const text =
    typeof value === 'string'
      ? value
      : value.toLocaleString('en', { maximumFractionDigits: 10, useGrouping: false })
  return language === 'fr' ? text.replace('.', ',') : text
}

const iceOf = ({ buyerIce }: TypedDraft) => buyerIce.replace(/\s/g, '')
