import type { OptionalInvoiceField } from '@einvoicing/domain/invoice-fields'
import { ribDigits } from '@einvoicing/domain/legal-mentions'
import { limits } from '@einvoicing/domain/limits'
import { countries } from '@einvoicing/profile/countries'
import { type z } from 'zod'
import { amounts } from './allowance-fields'
import { kind } from './kind-fields'
import { optionalText, structure } from './structure'
import {
  calendarDate,
  defineRule,
  digits,
  explainNotText,
  formatValue,
  oneOf,
  toZodSchema,
} from '../fields/rules'

const optionalDate = (description?: string) =>
  toZodSchema<string>(calendarDate, description).nullish()

const pattern = (form: RegExp, message: string) =>
  defineRule({ type: 'string', pattern: form.source }, (value) => {
    if (typeof value !== 'string') return explainNotText(value)
    return form.test(value) ? undefined : `must be ${message}; got ${formatValue(value)}`
  })

export const period = (description: string) =>
  structure(
    { from: optionalDate(), to: optionalDate('Not before from.') },
    `${description} At least one of from and to.`,
  ).nullish()

const paymentAccount = structure(
  {
    rib: toZodSchema<string>(digits(ribDigits, '011780000012345678901234')).nullish(),
    iban: toZodSchema<string>(
      pattern(/^[A-Z]{2}[0-9]{2}[A-Z0-9]{11,30}$/, 'an IBAN without blanks'),
      'Its check digits must be valid.',
    ).nullish(),
    bic: toZodSchema<string>(
      pattern(/^[A-Z]{6}[A-Z0-9]{2}([A-Z0-9]{3})?$/, 'a BIC of 8 or 11 characters'),
    ).nullish(),
    name: optionalText(limits.accountNameLength, 'The account holder.'),
  },
  'The account to pay to: either rib or iban. Missing: the RIB of the organization.',
).nullish()

export const buyerIce = digits(15, '001234567000089')

const buyerIceMeaning = [
  'Tax identifier of the buyer. On the clearance simulator, some values select the outcome:',
  '`000000000000101` is REJECTED with `BUYER_UNKNOWN` (102 to 113: the other rejections),',
  '`000000000000201` is decided after 10 seconds, `000000000000202` never,',
  '`000000000000503` gets that HTTP status on the first attempt (so do 401 to 504),',
  '`000000000000602` loses the first answer, `000000000000903` finds the platform unavailable on every attempt.',
].join(' ')

const countryCode = oneOf(
  countries,
  'a country code of two capital letters (ISO 3166-1), for example MA',
)

const country = (description: string) =>
  toZodSchema<string>(countryCode, `ISO 3166-1 alpha-2. ${description}`).nullish()

const buyer = {
  buyerIce: toZodSchema<string>(buyerIce, buyerIceMeaning).nullish(),
  buyerName: optionalText(limits.buyerNameLength, 'Company name; missing: a consumer.'),
  buyerAddress: optionalText(limits.buyerAddressLength, 'Postal address, in one text.'),
  buyerCity: optionalText(limits.buyerCityLength, 'City of the buyer.'),
  buyerCountry: country('Country of the buyer; missing: MA.'),
  buyerIf: toZodSchema<string>(
    pattern(/^[0-9A-Za-z]{1,20}$/, '1 to 20 digits or letters'),
    'Identifiant Fiscal of the buyer; for a buyer abroad, the VAT identifier, which begins with the country code.',
  ).nullish(),
  buyerType: toZodSchema<'BUSINESS' | 'CONSUMER'>(
    oneOf(['BUSINESS', 'CONSUMER']),
    'BUSINESS: buyerName and buyerIce are required for a buyer in Morocco. Not written to the document.',
  ).nullish(),
}

const references = {
  note: optionalText(limits.noteLength, 'Free text for the buyer.'),
  buyerReference: optionalText(
    limits.buyerReferenceLength,
    'The reference that the buyer asked you to quote.',
  ),
  purchaseOrderNumber: optionalText(
    limits.purchaseOrderNumberLength,
    'Number of the purchase order of the buyer.',
  ),
  contractNumber: optionalText(
    limits.contractNumberLength,
    'Number of the contract; in public procurement, number of the marché.',
  ),
  deliveryNoteNumber: optionalText(
    limits.deliveryNoteNumberLength,
    'Number of the delivery note (bon de livraison).',
  ),
}

const delivery = {
  servicePeriod: period('The period of the services.'),
  deliveryDate: optionalDate('The delivery date of the goods.'),
  deliveryAddress: optionalText(limits.deliveryAddressLength, 'The delivery address, in one text.'),
  deliveryCountry: country('Country of deliveryAddress; missing: MA.'),
}

const payment = {
  paymentTerms: optionalText(limits.paymentTermsLength, 'Terms of payment.'),
  paymentReference: optionalText(
    limits.paymentReferenceLength,
    'The reference that the buyer gives with the payment.',
  ),
  paymentAccount,
}

export const optional = {
  ...kind,
  ...amounts,
  ...buyer,
  ...references,
  ...delivery,
  ...payment,
  dueDate: optionalDate('Not before invoiceDate, and at most ten years after it.'),
} satisfies Record<OptionalInvoiceField, z.ZodType>
