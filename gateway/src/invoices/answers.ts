import { knownCurrencies } from '@einvoicing/domain/currency'
import {
  optionalLineTexts,
  optionalTextFields,
  structureFields,
} from '@einvoicing/domain/invoice-fields'
import { invoiceTypes } from '@einvoicing/domain/invoice-types'
import { invoiceStatuses } from '@einvoicing/domain/invoice-status'
import { z } from 'zod'
import { amount, date, integer, pageOf, textOneOf, time, uuid } from '../fields/answer-fields'
import { paymentMethods } from '@einvoicing/profile/payment-methods'
import { knownVatRates, vatCategoryCodes } from '@einvoicing/profile/vat'
import type { ExactNumber } from '../json/exact-json'

const text = z.string()
const exactNumber = z.custom<number | ExactNumber>()

function nullable<Name extends string, Value extends z.ZodType>(
  names: readonly Name[],
  value: Value,
) {
  return Object.fromEntries(names.map((name) => [name, value.nullable()])) as Record<
    Name,
    z.ZodNullable<Value>
  >
}

const period = z.object(nullable(structureFields.servicePeriod, date)).nullable()

const percent = exactNumber.meta({ type: 'number', minimum: 0, maximum: 100 })

const allowance = z.object({
  amount: amount.describe('As sent, or computed from percent.'),
  percent: percent.nullable(),
  vatRate: integer.nullable(),
  vatCategory: text.nullable(),
  reason: text,
  reasonCode: text.nullable(),
})

const vatBreakdown = z.array(
  z.object({
    vatCategory: textOneOf(vatCategoryCodes),
    vatRate: integer,
    taxableAmount: amount,
    creditableAmount: amount.describe(
      'The part of taxableAmount that can still be credited; 0 if the document cannot be credited.',
    ),
    vatAmount: amount,
    exemptionReason: text.nullable(),
  }),
)

const line = z.object({
  lineNumber: integer,
  description: text,
  quantity: exactNumber.meta({ type: 'number' }),
  unitPrice: exactNumber.meta({ type: 'number', minimum: 0 }),
  vatRate: z.number().meta({ type: 'integer', enum: [...knownVatRates] }),
  ...nullable(optionalLineTexts, text),
  servicePeriod: period,
  allowances: z.array(allowance).nullable(),
  charges: z.array(allowance).nullable(),
  amountHt: amount.describe(
    'quantity × unitPrice, minus the allowances of the line, plus its charges; each amount is rounded half up to the minor unit.',
  ),
})

const core = z.object({
  id: uuid,
  organizationId: uuid,
  invoiceNumber: text,
  type: textOneOf(invoiceTypes),
  status: textOneOf(invoiceStatuses),
  precedingInvoices: z
    .array(z.object({ id: uuid.nullable(), invoiceNumber: text, invoiceDate: date }))
    .nullable()
    .describe('With an id if your organization has the invoice.'),
  correctionReason: text.nullable(),
  issuerIce: text,
  issuerName: text,
  ...nullable(optionalTextFields, text),
  deliveryDate: date.nullable(),
  servicePeriod: period,
  paymentAccount: z.object(nullable(structureFields.paymentAccount, text)).nullable(),
  currency: textOneOf(knownCurrencies),
  paymentMethod: textOneOf(paymentMethods),
  prepaidAmount: amount.nullable(),
  allowances: z.array(allowance).nullable(),
  charges: z.array(allowance).nullable(),
  stampDuty: z.boolean().nullable(),
  vatWithholdingPercent: integer.nullable(),
  lineTotalHt: amount.describe('Sum of the lines.'),
  allowanceTotal: amount.describe('Sum of the allowances of the document.'),
  chargeTotal: amount.describe('Sum of the charges of the document.'),
  amountDue: amount.describe('Total including VAT, less the prepaid amount.'),
  stampDutyAmount: amount.nullable(),
  vatWithheldAmount: amount.nullable(),
  amountAfterWithholding: z.number().nullable(),
  amountHt: amount.describe('Total excluding VAT, computed.'),
  amountVat: amount.describe('Total VAT, computed.'),
  amountTtc: amount.describe('Total including VAT, computed.'),
  invoiceDate: date,
  dueDate: date.nullable(),
  dgiReference: text.nullable().describe('Clearance reference; null until ACCEPTED.'),
  dgiQrCode: text.nullable().describe('The text inside the QR image; null until ACCEPTED.'),
  createdAt: time,
  updatedAt: time,
})

const decision = z.object({
  dgiSubmittedAt: time.nullable(),
  dgiValidatedAt: time.nullable(),
  dgiRejectedAt: time.nullable(),
  dgiErrorCode: text.nullable().describe('Why it was REJECTED or FAILED.'),
  dgiErrorMessage: text.nullable(),
})

const payload = {
  dgiQrPayload: text.nullable().describe('The signed payload of the tax authority.'),
}
const evidence = {
  signatureLevel: text
    .nullable()
    .describe('XAdES-B-B, or the level that GET …/xml?level= can give; null until signed.'),
  timeStampedAt: time.nullable().describe('The time of the time stamp on the signature.'),
}
const warnings = z
  .array(z.object({ code: text, field: text, message: text }))
  .describe('Allowed values that may be mistakes.')

const credits = {
  creditNotes: z
    .array(
      z.object({
        id: uuid,
        invoiceNumber: text,
        status: textOneOf(invoiceStatuses),
        amountTtc: amount.describe('The amount credited on this invoice, including VAT.'),
      }),
    )
    .describe('Signed credit notes of this invoice, except rejected ones.'),
  creditedTtc: amount.describe('Sum of creditNotes.'),
}

const verification = {
  verificationUrl: text
    .nullable()
    .describe(
      'A public page for the recipients of the document: its state, and the proof of its signature. null until signed.',
    ),
}

const lines = { lines: z.array(line), vatBreakdown, warnings, ...credits, ...verification }

export const createdInvoiceSchema = core.extend(lines)
export const invoiceSchema = core.extend({ ...payload, ...decision.shape, ...evidence, ...lines })
const listedInvoiceSchema = core.extend(decision.shape)
export const invoicePageSchema = pageOf(listedInvoiceSchema)
export const invoiceStatusSchema = decision.extend({
  id: core.shape.id,
  status: core.shape.status,
  dgiReference: core.shape.dgiReference,
  ...payload,
})

export type CreatedInvoice = z.infer<typeof createdInvoiceSchema>
export type PresentedInvoice = z.infer<typeof invoiceSchema>
export type ListedInvoice = z.infer<typeof listedInvoiceSchema>
export type PresentedStatus = z.infer<typeof invoiceStatusSchema>
