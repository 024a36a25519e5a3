/**
 * What fields of an invoice say about each other. Reads what a client sent, before its types are
 * known to be right: a value of another type is not compared.
 */

import type { FieldError } from '@einvoicing/domain/api-error'
import { hasIbanKey } from './bank-account'
import { isAbroad, isVatIdentifierOf } from './countries'

type Fields = Readonly<Record<string, unknown>>

/** Inside one structure: true of a part of an invoice as well. */
export function findStructureErrors(fields: Fields): FieldError[] {
  return [
    ...periodErrors('servicePeriod', fields['servicePeriod']),
    ...accountErrors(fields['paymentAccount']),
  ]
}

/** Of a whole invoice. */
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
        errors.push({ field: name, message: 'is required where buyerType is BUSINESS' })
      }
    }
  }
  return errors
}

export function periodErrors(field: string, value: unknown): FieldError[] {
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

const hasValue = (value: unknown): boolean =>
  value !== null && value !== undefined && (typeof value !== 'string' || value.trim() !== '')

function readText(value: unknown): string | undefined {
  return typeof value === 'string' && value.trim() !== '' ? value : undefined
}

function readFields(value: unknown): Fields | undefined {
  const isFields = typeof value === 'object' && value !== null && !Array.isArray(value)
  return isFields ? (value as Fields) : undefined
}
