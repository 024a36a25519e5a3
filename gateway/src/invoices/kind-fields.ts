import {
  invoiceNumberError,
  invoiceNumberPattern,
  normalizeInvoiceNumber,
} from '@einvoicing/domain/invoice-number'
import {
  defaultInvoiceType,
  invoiceTypes,
  type InvoiceType,
} from '@einvoicing/domain/invoice-types'
import { limits } from '@einvoicing/domain/limits'
import { boundedList } from '../fields/bounded-list'
import {
  calendarDate,
  defineRule,
  filledText,
  formatValue,
  illegalXmlCharacters,
  oneOf,
  text,
  toZodSchema,
} from '../fields/rules'
import { isUuid, uuidPattern } from '../fields/uuid'
import { structure } from './structure'

const numberText = filledText(limits.invoiceNumberLength)
const numberSchema = { ...numberText.schema, pattern: invoiceNumberPattern(illegalXmlCharacters) }

export const invoiceNumber = defineRule(
  numberSchema,
  (value) =>
    numberText(value) ??
    invoiceNumberError(value as string) ??
    // Normalization can expand a character to two or three.
    text(limits.invoiceNumberLength)(normalizeInvoiceNumber(value as string)),
)

const id = defineRule({ type: 'string', format: 'uuid', pattern: uuidPattern }, (value) =>
  typeof value === 'string' && isUuid(value)
    ? undefined
    : `must be the id of an invoice; got ${formatValue(value)}`,
)

const preceding = structure(
  {
    id: toZodSchema<string>(id, 'The id of an invoice of your organization.')
      .transform((typed) => typed.toLowerCase())
      .nullish(),
    invoiceNumber: toZodSchema<string>(
      invoiceNumber,
      'A number that your organization does not have refers to an invoice issued elsewhere and requires its date.',
    )
      .transform(normalizeInvoiceNumber)
      .nullish(),
    invoiceDate: toZodSchema<string>(calendarDate).nullish(),
  },
  'At least one of id and invoiceNumber.',
)

export const kind = {
  type: toZodSchema<InvoiceType>(
    oneOf(invoiceTypes),
    'Missing: INVOICE. The amounts of a CREDIT_NOTE are positive. Fixed when the document is created.',
  )
    .transform((type) => (type === defaultInvoiceType ? null : type))
    .nullish(),
  precedingInvoices: boundedList(preceding, limits.precedingInvoiceCount)
    .transform((items) => (items.length === 0 ? null : { items }))
    .meta({
      description:
        'The invoices that the document corrects or completes. Required on a CREDIT_NOTE, which copies the buyer from the first one.',
    })
    .nullish(),
  correctionReason: toZodSchema<string>(
    text(limits.correctionReasonLength),
    'Required on a CREDIT_NOTE, and allowed only there.',
  ).nullish(),
}
