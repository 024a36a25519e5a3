import { currencies, isCurrency } from '@einvoicing/domain/currency'
import type { LineField, RequiredInvoiceField } from '@einvoicing/domain/invoice-fields'
import { limits } from '@einvoicing/domain/limits'
import { invisibleRanges } from '@einvoicing/domain/visible-text'
import { paymentMethods, type PaymentMethod } from '@einvoicing/profile/payment-methods'
import {
  defaultExemptionReason,
  formerVatRates,
  knownVatRates,
  vatRates,
  type VatRate,
} from '@einvoicing/profile/vat'
import type { LineContent } from '@einvoicing/proto/invoice'
import { z } from 'zod'
import { boundedList } from '../fields/bounded-list'
import {
  explainAbsence,
  calendarDate,
  filledText,
  flag,
  explainNotNumber,
  explainNotText,
  oneOf,
  toZodSchema,
  defineRule,
  formatValue,
} from '../fields/rules'
import type { JsonSchema } from '../fields/json-schema'
import { ExactNumber } from '../json/exact-json'
import { exactNumber } from './exact-number'
import { lineAllowances, lineCharges, vatCategory } from './allowance-fields'
import { invoiceNumber } from './kind-fields'
import { optional, period } from './optional-fields'
import { optionalText } from './structure'

const currency = defineRule({ type: 'string', enum: currencies }, (value) => {
  if (typeof value !== 'string') return explainNotText(value)
  if (isCurrency(value)) return undefined
  return `must be an ISO 4217 code of 3 upper-case letters, for example MAD; got ${formatValue(value)}`
})

const lineNumberSchema = { type: 'integer', minimum: 1, maximum: limits.lineNumberMax }

export const lineNumber = defineRule(lineNumberSchema, (value) => {
  if (!isNumber(value)) return explainNotNumber(value)
  if (isLineNumber(value)) return undefined
  return `must be a whole number from 1 to ${limits.lineNumberMax}; got ${formatValue(value)}`
})

// Rules for credit notes depend on the type: see content-rules.
export const vatRateRule = defineRule({ type: 'integer', enum: knownVatRates }, (value) => {
  if (!isNumber(value)) return explainNotNumber(value)
  if ((knownVatRates as readonly unknown[]).includes(value)) return undefined
  return `must be one of ${vatRates.join(', ')} (percent); got ${formatValue(value)}`
})

function isNumber(value: unknown): boolean {
  return typeof value === 'number' || value instanceof ExactNumber
}

function isLineNumber(value: unknown): boolean {
  return Number.isInteger(value) && Number(value) >= 1 && Number(value) <= limits.lineNumberMax
}

// The year is 2000 or later; the upper bound depends on today, see cross-field-rules.
const invoiceDateSchema = { ...calendarDate.schema, pattern: '^[2-9]' }

export const invoiceDate = defineRule(invoiceDateSchema, (value) => {
  const error = calendarDate(value)
  if (error !== undefined || String(value) >= limits.invoiceDateMin) return error
  return `must not be earlier than ${limits.invoiceDateMin}; got ${String(value)}`
})

const fractionDigits = `At most ${limits.quantityFractionDigits} digits after the decimal point.`

// Documented here, checked in cross-field-rules.
const reasonGoesWithExemption = {
  if: {
    properties: { vatExemptionReason: { type: 'string', pattern: `[^\\s${invisibleRanges}]` } },
    required: ['vatExemptionReason'],
  },
  then: { properties: { vatRate: { const: 0 } } },
} satisfies JsonSchema

const plainLine = z.strictObject(
  {
    lineNumber: toZodSchema<number>(lineNumber, 'Unique within the invoice.'),
    description: toZodSchema<string>(filledText(limits.lineDescriptionLength)),
    quantity: exactNumber('positive', fractionDigits),
    unitPrice: exactNumber(
      'not negative',
      `Excluding VAT, in the currency of the invoice. ${fractionDigits}`,
    ),
    vatRate: toZodSchema<VatRate>(
      vatRateRule,
      `Percent; ${formerVatRates.join(', ')} on a CREDIT_NOTE only, as its original has.`,
    ),
    unit: optionalText(limits.lineUnitLength, 'Free unit of measure.'),
    vatExemptionReason: optionalText(
      limits.vatExemptionReasonLength,
      `Only on a line with vatRate 0; the document says "${defaultExemptionReason}" if it is missing.`,
    ),
    itemCode: optionalText(limits.itemCodeLength, 'Your item code.'),
    orderLineNumber: optionalText(
      limits.orderLineNumberLength,
      'Number of the line in the purchase order.',
    ),
    note: optionalText(limits.lineNoteLength, 'Free text about the line.'),
    servicePeriod: period('The period of the service on the line.'),
    vatCategory,
    allowances: lineAllowances,
    charges: lineCharges,
  } satisfies Record<LineField | keyof LineContent, z.ZodType>,
  { error: ({ input }) => explainAbsence(input) ?? `must be an object; got ${formatValue(input)}` },
)
const line = plainLine.meta(reasonGoesWithExemption)

export const lineList = <Line>(each: z.ZodType<Line>) =>
  boundedList(each, limits.lineCount)
    .refine((lines) => lines.length > 0, { error: 'must have at least 1 line' })
    .meta({ minItems: 1 })

const needed = {
  invoiceNumber: toZodSchema<string>(
    invoiceNumber,
    `No space at either end, and no invisible character; stored in Unicode NFC, at most ${limits.invoiceNumberLength} characters in that form. Unique per organization for ever: sending it again returns 409 and creates nothing.`,
  ),
  invoiceDate: toZodSchema<string>(
    invoiceDate,
    `From ${limits.invoiceDateMin} to one year after today (Africa/Casablanca).`,
  ),
  currency: toZodSchema<string>(currency, 'ISO 4217.'),
  paymentMethod: toZodSchema<PaymentMethod>(oneOf(paymentMethods)),
  lines: lineList(line),
} satisfies Record<RequiredInvoiceField, z.ZodType>

export const newInvoice = z.strictObject({
  ...needed,
  ...optional,
  draft: toZodSchema<boolean>(
    flag,
    'true: stays PENDING and editable until it is signed.',
  ).nullish(),
})

/** Every field may be absent; required ones cannot be cleared. */
export const invoiceChanges = z.strictObject({ ...needed, ...optional }).partial(
  Object.fromEntries(Object.keys(needed).map((name) => [name, true])) as {
    [name in keyof typeof needed]: true
  },
)

export type LineFields = z.infer<typeof line>
