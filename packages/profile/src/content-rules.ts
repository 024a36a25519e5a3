/** Reads what a client sent, before its types are checked: values of a wrong type are ignored. */

import type { FieldError } from '@einvoicing/domain/api-error'
import { formerCurrencies } from '@einvoicing/domain/currency'
import { limits } from '@einvoicing/domain/limits'
import { hasValue, hasVisibleText } from '@einvoicing/domain/visible-text'
import { hasIbanKey } from './bank-account'
import { isAbroad, isVatIdentifierOf } from './countries'
import { formerVatRates, toVatCategory, vatRates } from './vat'

type Fields = Readonly<Record<string, unknown>>

/** Within one structure, such as a line. */
export function findStructureErrors(fields: Fields): FieldError[] {
  return [
    ...periodErrors('servicePeriod', fields['servicePeriod']),
    ...accountErrors(fields['paymentAccount']),
    ...referenceErrors(readList(fields['precedingInvoices'])),
    ...priceErrors('', fields),
    ...readList(fields['lines']).flatMap((line, index) => {
      const prefix = `lines[${index}].`
      const period = periodErrors(`${prefix}servicePeriod`, line['servicePeriod'])
      return [...period, ...priceErrors(prefix, line)]
    }),
  ]
}

export function findContentErrors(fields: Fields): FieldError[] {
  const text = (name: string) => readText(fields[name])
  const [buyerCountry, buyerIf] = [text('buyerCountry'), text('buyerIf')]
  const errors: FieldError[] = []
  if (buyerIf !== undefined && isAbroad(buyerCountry)) {
    if (!isVatIdentifierOf(buyerCountry ?? '', buyerIf)) {
      const message = `must begin with the code of the country, ${buyerCountry}, as a VAT identifier does; got ${buyerIf}`
      errors.push({ field: 'buyerIf', message })
    }
  }
  if (text('buyerType') === 'BUSINESS' && !isAbroad(buyerCountry)) {
    for (const name of ['buyerName', 'buyerIce']) {
      if (text(name) === undefined) {
        errors.push({ field: name, message: 'is required when buyerType is BUSINESS' })
      }
    }
  }
  if (fields['stampDuty'] === true) errors.push(...stampDutyErrors(fields))
  return [
    ...errors,
    ...kindErrors(fields),
    ...currencyErrors(fields),
    ...rateErrors(fields),
    ...categoryErrors(fields),
    ...countErrors(fields),
  ]
}

const isCreditNote = (fields: Fields) => fields['type'] === 'CREDIT_NOTE'

/** The duty falls on receipts, and nothing is received for a credit note. */
function stampDutyErrors(fields: Fields): FieldError[] {
  const field = 'stampDuty'
  if (isCreditNote(fields)) return [{ field, message: 'is not allowed with type CREDIT_NOTE' }]
  if (readText(fields['paymentMethod']) === 'CASH') return []
  return [{ field, message: 'is allowed only with paymentMethod CASH' }]
}

function kindErrors(fields: Fields): FieldError[] {
  const hasReason = readText(fields['correctionReason']) !== undefined
  if (!isCreditNote(fields)) {
    const message = 'is allowed only with type CREDIT_NOTE'
    return hasReason ? [{ field: 'correctionReason', message }] : []
  }
  const message = 'is required when type is CREDIT_NOTE'
  return [
    ...(readItems(fields['precedingInvoices']).length === 0
      ? [{ field: 'precedingInvoices', message }]
      : []),
    ...(hasReason ? [] : [{ field: 'correctionReason', message }]),
  ]
}

/** A credit note has the currency of its original, which may be a former one. */
function currencyErrors(fields: Fields): FieldError[] {
  const currency = readText(fields['currency'])
  if (isCreditNote(fields) || !formerCurrencies.includes(currency ?? '')) return []
  const message = `must be a currency that EN 16931 allows; got ${currency}`
  return [{ field: 'currency', message }]
}

/** A credit note has the rate of its original, which may be a former one. */
function rateErrors(fields: Fields): FieldError[] {
  if (isCreditNote(fields)) return []
  return ['lines', 'allowances', 'charges'].flatMap((name) =>
    readItems(fields[name]).flatMap(({ vatRate }, index): FieldError[] => {
      if (!(formerVatRates as readonly unknown[]).includes(vatRate)) return []
      const message = `must be one of ${vatRates.join(', ')} (percent); got ${String(vatRate)}`
      return [{ field: `${name}[${index}].vatRate`, message }]
    }),
  )
}

function referenceErrors(preceding: readonly Fields[]): FieldError[] {
  const firstIndexes = new Map<string, number>()
  return preceding.flatMap((reference, index): FieldError[] => {
    const field = `precedingInvoices[${index}]`
    const [id, number] = [readText(reference['id']), readText(reference['invoiceNumber'])]
    if (id === undefined && number === undefined) {
      return [{ field, message: 'must have id or invoiceNumber' }]
    }
    const key = JSON.stringify(id ?? [number?.normalize('NFC')])
    const first = firstIndexes.get(key)
    if (first === undefined) firstIndexes.set(key, index)
    return first === undefined
      ? []
      : [{ field, message: `must be unique; precedingInvoices[${first}] is the same invoice` }]
  })
}

function categoryErrors(fields: Fields): FieldError[] {
  const has = (name: string) => readText(fields[name]) !== undefined
  const lines = readList(fields['lines'])
  const categories = new Set(lines.flatMap((line) => readCategory(line) ?? []))
  const errors = lines.flatMap((line, index): FieldError[] => {
    const [category, rate] = [readText(line['vatCategory']), line['vatRate']]
    if (category === undefined || typeof rate !== 'number') return []
    if ((category === 'S') === rate > 0) return []
    const message =
      category === 'S'
        ? 'must be E, G, AE or O when vatRate is 0'
        : `is allowed only with vatRate 0; got ${category}`
    return [{ field: `lines[${index}].vatCategory`, message }]
  })
  if (categories.has('AE') && !has('buyerIce') && !has('buyerIf')) {
    const message = 'or buyerIf is required when a line has the VAT category AE'
    errors.push({ field: 'buyerIce', message })
  }
  if (categories.has('G') && !isAbroad(readText(fields['buyerCountry']))) {
    const message = 'must be a country other than MA when a line has the VAT category G'
    errors.push({ field: 'buyerCountry', message })
  }
  if (!categories.has('O')) return errors
  if (categories.size > 1) {
    const others = [...categories].filter((category) => category !== 'O').join(', ')
    const message = `O cannot be combined with other VAT categories; other lines have ${others}`
    const index = lines.findIndex((line) => readCategory(line) === 'O')
    errors.push({ field: `lines[${index}].vatCategory`, message })
  }
  if (has('buyerIf')) {
    errors.push({ field: 'buyerIf', message: 'must be omitted when the VAT category is O' })
  }
  return errors
}

function readCategory(line: Fields): string | undefined {
  const rate = line['vatRate']
  const byRate = typeof rate === 'number' ? toVatCategory(rate) : undefined
  return readText(line['vatCategory']) ?? byRate
}

function countErrors(fields: Fields): FieldError[] {
  const countMax = limits.lineAdjustmentCount
  const all = readItems(fields['lines']).flatMap(({ allowances, charges }) => [
    ...readItems(allowances),
    ...readItems(charges),
  ])
  if (all.length <= countMax) return []
  const message = `must have at most ${countMax} allowances and charges together; got ${all.length}`
  return [{ field: 'lines', message }]
}

function priceErrors(prefix: string, fields: Fields): FieldError[] {
  return ['allowances', 'charges'].flatMap((name) =>
    readList(fields[name]).flatMap((item, index): FieldError[] => {
      if (hasValue(item['amount']) !== hasValue(item['percent'])) return []
      return [
        { field: `${prefix}${name}[${index}]`, message: 'must have either amount or percent' },
      ]
    }),
  )
}

function periodErrors(field: string, value: unknown): FieldError[] {
  const period = readFields(value)
  if (!period) return []
  const [from, to] = [readText(period['from']), readText(period['to'])]
  if (!hasValue(period['from']) && !hasValue(period['to'])) {
    return [{ field, message: 'must have from or to, or both' }]
  }
  if (from === undefined || to === undefined || to >= from) return []
  return [{ field: `${field}.to`, message: `must not be before from (${from}); got ${to}` }]
}

function accountErrors(value: unknown): FieldError[] {
  const account = readFields(value)
  if (!account) return []
  if (hasValue(account['rib']) === hasValue(account['iban'])) {
    return [{ field: 'paymentAccount', message: 'must have either rib or iban' }]
  }
  const iban = readText(account['iban'])
  if (iban === undefined || hasIbanKey(iban)) return []
  const message = `has wrong check digits; compare it with the bank's document: ${iban.slice(0, 40)}`
  return [{ field: 'paymentAccount.iban', message }]
}

function readList(value: unknown): Fields[] {
  return Array.isArray(value) ? value.map((item: unknown) => readFields(item) ?? {}) : []
}

function readItems(value: unknown): Fields[] {
  return readList(Array.isArray(value) ? value : readFields(value)?.['items'])
}

function readText(value: unknown): string | undefined {
  return typeof value === 'string' && hasVisibleText(value) ? value : undefined
}

function readFields(value: unknown): Fields | undefined {
  const isFields = typeof value === 'object' && value !== null && !Array.isArray(value)
  return isFields ? (value as Fields) : undefined
}
