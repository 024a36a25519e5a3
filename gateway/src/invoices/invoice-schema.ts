/**
 * What a client may send of an invoice (specification, sections 2.4, 4.1 and 4.5), field by field.
 */

import { isCurrency } from '@einvoicing/kernel/currency'
import { limits } from '@einvoicing/kernel/limits'
import { z } from 'zod'
import {
  absent,
  calendarDate,
  digits,
  filledText,
  flag,
  notNumber,
  notText,
  oneOf,
  ruled,
  shown,
  text,
  type Rule,
} from '../fields/rules'
import { exactNumber, type ExactNumber } from './exact-number'

export const paymentMethods = ['BANK_TRANSFER', 'CASH', 'CHECK', 'CARD', 'OTHER'] as const
export const vatRates = [0, 7, 10, 14, 20] as const

const currency: Rule = (value) => {
  if (typeof value !== 'string') return notText(value)
  if (isCurrency(value)) return undefined
  return `must be an ISO 4217 code of 3 upper-case letters, for example MAD; got ${shown(value)}`
}

const lineNumber: Rule = (value) => {
  if (typeof value !== 'number') return notNumber(value)
  if (Number.isInteger(value) && value >= 1 && value <= limits.lineNumberMax) return undefined
  return `must be a whole number from 1 to ${limits.lineNumberMax}; got ${value}`
}

const vatRate: Rule = (value) => {
  if (typeof value !== 'number') return notNumber(value)
  if ((vatRates as readonly number[]).includes(value)) return undefined
  return `must be one of ${vatRates.join(', ')} (percent); got ${value}`
}

export const buyerIce = digits(15, '001234567000089')

const optionalText = (lengthMax: number) => ruled<string>(text(lengthMax)).nullish()

const line = z.strictObject(
  {
    lineNumber: ruled<number>(lineNumber),
    description: ruled<string>(filledText(limits.lineDescriptionLength)),
    quantity: ruled<number | ExactNumber>(exactNumber('positive')),
    unitPrice: ruled<number | ExactNumber>(exactNumber('not negative')),
    vatRate: ruled<(typeof vatRates)[number]>(vatRate),
    unit: optionalText(limits.lineUnitLength),
    vatExemptionReason: optionalText(limits.vatExemptionReasonLength),
  },
  { error: ({ input }) => absent(input) ?? `must be an object; got ${shown(input)}` },
)

const needed = {
  invoiceNumber: ruled<string>(filledText(limits.invoiceNumberLength)),
  invoiceDate: ruled<string>(calendarDate),
  currency: ruled<string>(currency),
  paymentMethod: ruled<(typeof paymentMethods)[number]>(oneOf(paymentMethods)),
  lines: z
    .array(line, { error: ({ input }) => absent(input) ?? `must be an array; got ${shown(input)}` })
    .min(1, { error: 'must have at least 1 line' }),
}

const optional = {
  buyerIce: ruled<string>(buyerIce).nullish(),
  buyerName: optionalText(limits.buyerNameLength),
  buyerAddress: optionalText(limits.buyerAddressLength),
  dueDate: ruled<string>(calendarDate).nullish(),
}

export const newInvoice = z.strictObject({
  ...needed,
  ...optional,
  draft: ruled<boolean>(flag).nullish(),
})

/** Every field may be left out, but what an invoice needs cannot be cleared. */
export const invoiceChanges = z.strictObject({ ...needed, ...optional }).partial(
  Object.fromEntries(Object.keys(needed).map((name) => [name, true])) as {
    [name in keyof typeof needed]: true
  },
)

export type LineFields = z.infer<typeof line>
export type InvoiceFields = z.infer<typeof newInvoice>
export type ChangedFields = z.infer<typeof invoiceChanges>

export const lineFieldNames = Object.keys(line.shape)
