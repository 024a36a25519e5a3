import { normalizeInvoiceNumber } from '@einvoicing/domain/invoice-number'
import { limits } from '@einvoicing/domain/limits'
import { paymentMethods, type PaymentMethod } from '@einvoicing/profile/payment-methods'
import type { CreditInvoiceRequest } from '@einvoicing/proto/invoices'
import { z } from 'zod'
import { explainAbsence, filledText, flag, formatValue, oneOf, toZodSchema } from '../fields/rules'
import { readJsonText } from '../http/body/read-json'
import { sendCreated } from '../http/envelope'
import { createCall, getExchange } from '../http/exchange'
import type { Handle } from '../http/route-table'
import type { ApiTable } from '../routes/api-route'
import { createdInvoiceSchema } from './answers'
import { answerExamples } from './examples'
import { exactNumber } from './exact-number'
import { invoiceIdParameter, readInvoiceId } from './invoice-id'
import { invoiceDate, lineList, lineNumber } from './invoice-schema'
import { invoiceNumber } from './kind-fields'
import { findPageUrl } from './page-addresses'
import { presentCreated } from './present'
import { readBy } from './read-body'
import { readIssuer, readOrCheck, type InvoiceRouteDeps } from './routes'

const creditedLine = z.strictObject(
  {
    lineNumber: toZodSchema<number>(lineNumber, 'The number of a line of the invoice.'),
    quantity: exactNumber('positive', 'At most the quantity of the line.'),
  },
  { error: ({ input }) => explainAbsence(input) ?? `must be an object; got ${formatValue(input)}` },
)

const creditNote = z.strictObject({
  invoiceNumber: toZodSchema<string>(
    invoiceNumber,
    'The number of the credit note, under the rules of an invoice number. Unique per organization for ever, among all documents.',
  ),
  invoiceDate: toZodSchema<string>(invoiceDate, 'Not before the date of the invoice.'),
  correctionReason: toZodSchema<string>(filledText(limits.correctionReasonLength)),
  paymentMethod: toZodSchema<PaymentMethod>(
    oneOf(paymentMethods),
    'Missing: that of the invoice.',
  ).nullish(),
  lines: lineList(creditedLine)
    .meta({
      description:
        'Missing: the whole invoice, with its allowances and charges. An invoice with allowances or charges can be credited only as a whole, or with POST /v1/invoices.',
    })
    .nullish(),
  draft: toZodSchema<boolean>(
    flag,
    'true: stays PENDING and editable until it is signed.',
  ).nullish(),
})

type Fields = Omit<CreditInvoiceRequest, 'invoiceId' | 'issuer'>

/** Throws `VALIDATION_ERROR`. */
export function readCreditNote(json: string, now: Date): Fields {
  const { lines, draft, paymentMethod, ...fields } = readBy(creditNote, json, { now })
  return {
    ...fields,
    invoiceNumber: normalizeInvoiceNumber(fields.invoiceNumber),
    paymentMethod: paymentMethod ?? undefined,
    lines: lines ?? [],
    draft: draft ?? false,
  }
}

const credit =
  ({ invoices, addresses, now }: InvoiceRouteDeps): Handle =>
  async (request, response) => {
    const invoiceId = readInvoiceId(request, response)
    // Not found is reported before not valid.
    const fields = await readOrCheck(
      async () => readCreditNote(await readJsonText(request, response, limits.bodyBytes), now()),
      () => invoices.getInvoice({ invoiceId }, createCall(response)),
    )
    const note = await invoices.creditInvoice(
      { ...fields, invoiceId, issuer: readIssuer(response) },
      createCall(response),
    )
    getExchange(response).invoiceId = note.id
    const collection = request.baseUrl
    sendCreated(response, presentCreated(note, findPageUrl(addresses, note, request)), {
      Location: `${collection}/${note.id}`,
    })
  }

const least = {
  invoiceNumber: 'AV-2026-0002',
  invoiceDate: '2026-05-04',
  correctionReason: 'Retour de marchandise',
}

export const creditNoteRoutes: ApiTable<InvoiceRouteDeps> = {
  '/:id/credit-note': {
    POST: {
      handle: credit,
      operationId: 'creditInvoice',
      summary: 'Create a credit note for a whole invoice, or for some of its lines.',
      description:
        'Copies buyer, lines, allowances and charges from the invoice, so that a credit note of the whole invoice has exactly its totals. Answers and errors are those of a creation.',
      parameters: [invoiceIdParameter],
      body: {
        name: 'CreditNoteOfInvoice',
        schema: creditNote,
        examples: { whole: least, some: { ...least, lines: [{ lineNumber: 1, quantity: 0.5 }] } },
      },
      answer: {
        status: 201,
        name: 'CreatedInvoice',
        schema: createdInvoiceSchema,
        examples: answerExamples.credited,
        headers: ['Location'],
      },
      errors: [
        'INVOICE_NOT_FOUND',
        'INVOICE_NUMBER_EXISTS',
        'ORGANIZATION_NOT_APPROVED',
        'MISSING_LEGAL_MENTIONS',
        'INVOICE_NOT_CREDITABLE',
        'CREDIT_EXCEEDS_INVOICE',
      ],
    },
  },
}
