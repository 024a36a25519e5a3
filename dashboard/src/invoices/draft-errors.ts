import { dueDateError, invoiceDateError } from '@einvoicing/domain/invoice-dates'
import { isIce } from '@einvoicing/domain/legal-mentions'
import { limits } from '@einvoicing/domain/limits'
import type { Catalogue } from '../i18n/catalogue'
import type { Language } from '../i18n/language'
import { hasStampDuty, isReferenceBlank, isVatRate, type TypedDraft, type TypedLine } from './draft'
import { adjustmentNames, type TypedAdjustment } from './typed-adjustments'
import { fitsNumber, readDecimal, withoutBlanks } from './typed-numbers'

type Messages = Catalogue['draft']['errors']

/** By path, as `lines.0.quantity`. */
export function findErrors(typed: TypedDraft, language: Language, messages: Messages) {
  const errors: Record<string, string> = {}
  if (typed.invoiceNumber.trim() === '') errors['invoiceNumber'] = messages.required
  Object.assign(errors, findDateErrors(typed, messages))
  const ice = withoutBlanks(typed.buyerIce)
  if (ice !== '' && !isIce(ice)) errors['buyerIce'] = messages.ice
  if (ice !== '' && typed.buyerName.trim() === '' && !takesBuyer(typed)) {
    errors['buyerName'] = messages.buyerName
  }
  if (typed.prepaidAmount.trim() !== '') {
    const error = findDecimalError(typed.prepaidAmount, language, messages)
    if (error !== undefined) errors['prepaidAmount'] = error
  }
  if (hasStampDuty(typed) && typed.paymentMethod !== 'CASH') {
    errors['stampDuty'] = messages.stampDuty
  }
  Object.assign(errors, findReferenceErrors(typed, messages))
  const reader = { language, messages }
  Object.assign(errors, findAdjustmentErrors(typed, '', reader))
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
    if (!isVatRate(line.vatRate)) errors[at('vatRate')] = messages.vatRate
    Object.assign(errors, findAdjustmentErrors(line, `lines.${index}.`, reader))
  })
  return errors
}

// A pasted text may be longer than typed text.
const lengths = {
  description: limits.lineDescriptionLength,
  unit: limits.lineUnitLength,
  vatExemptionReason: limits.vatExemptionReasonLength,
}

/** The service accepts no name that its original does not have. */
const takesBuyer = ({ type, precedingInvoices }: TypedDraft): boolean =>
  type === 'CREDIT_NOTE' && precedingInvoices.some(({ id }) => id !== null)

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

function findReferenceErrors(typed: TypedDraft, messages: Messages) {
  if (typed.type !== 'CREDIT_NOTE') return {}
  const errors: Record<string, string> = {}
  if (typed.correctionReason.trim() === '') errors['correctionReason'] = messages.required
  if (typed.precedingInvoices.every(isReferenceBlank)) {
    errors['precedingInvoices.0.invoiceNumber'] = messages.required
  }
  return errors
}

interface Reader {
  language: Language
  messages: Messages
}

function findAdjustmentErrors(
  typed: Pick<TypedDraft, 'allowances' | 'charges'>,
  prefix: string,
  { language, messages }: Reader,
) {
  const errors: Record<string, string> = {}
  const check = (item: TypedAdjustment, path: string) => {
    if (item.reason.trim() === '') errors[`${path}.reason`] = messages.required
    const error = findDecimalError(item.value, language, messages)
    if (error !== undefined) errors[`${path}.${item.unit}`] = error
  }
  for (const name of adjustmentNames) {
    typed[name].forEach((item, index) => check(item, `${prefix}${name}.${index}`))
  }
  return errors
}
