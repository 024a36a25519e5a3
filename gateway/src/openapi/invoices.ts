/** The paths of invoices: all of them behind an API key, the reading ones behind a session too. */

import { listRules } from '../invoices/read-query'
import { operation, queryParameters, type Caller, type Parameter, type Paths } from './operation'
import { answers, invoiceChanges, invoiceId, newInvoices, newInvoiceSummaries } from './samples'
import { uuid } from './shapes'

const tag = 'Invoices'

export const invoiceIdParameter: Parameter = {
  name: 'id',
  in: 'path',
  required: true,
  description: 'What is no UUID is answered as an unknown one.',
  schema: { ...uuid, examples: [invoiceId] },
}

const parameters = [invoiceIdParameter]

/** `idPrefix` tells the operations of one caller from those of another. */
export interface Reader {
  base: string
  caller: Caller
  idPrefix: string
}

export function readingPaths({ base, caller, idPrefix }: Reader): Paths {
  return {
    [base]: {
      get: operation({
        id: `${idPrefix}listInvoices`,
        tag,
        summary: "The organization's invoices, page by page, without their lines.",
        description:
          'Newest first unless `sort` says otherwise; filters given together must all hold. Amounts are of one invoice each, in its own currency.',
        caller,
        parameters: queryParameters(listRules),
        answer: { data: 'InvoicePage', examples: answers.page },
        refusals: ['VALIDATION_ERROR'],
      }),
    },
    [`${base}/{id}`]: {
      get: operation({
        id: `${idPrefix}readInvoice`,
        tag,
        summary: 'One invoice, with its lines and what the tax authority said.',
        description:
          'The `dgi…` fields are null until the tax authority has spoken. Use `…/status` to poll: it is smaller.',
        caller,
        parameters,
        answer: { data: 'Invoice', examples: answers.read },
        refusals: ['INVOICE_NOT_FOUND'],
      }),
    },
    [`${base}/{id}/status`]: {
      get: operation({
        id: `${idPrefix}readInvoiceStatus`,
        tag,
        summary: 'How clearance is doing.',
        description:
          'Poll with growing pauses until ACCEPTED, REJECTED or FAILED. A rejection is no error of HTTP: `dgiErrorCode` and `dgiErrorMessage` say why.',
        caller,
        parameters,
        answer: { data: 'InvoiceStatus', examples: answers.status },
        refusals: ['INVOICE_NOT_FOUND'],
      }),
    },
  }
}

const base = '/v1/invoices'
const caller = 'key'

const createInvoice = operation({
  id: 'createInvoice',
  tag,
  summary: 'Create an invoice: totalled and signed before the answer, cleared after it.',
  description:
    'All or nothing: on any error nothing is stored and the number stays free. Safe to send again: an invoice that exists answers 409 INVOICE_NUMBER_EXISTS.',
  caller,
  body: { schema: 'NewInvoice', examples: newInvoices, summaries: newInvoiceSummaries },
  answer: {
    status: 201,
    data: 'CreatedInvoice',
    examples: answers.created,
    headers: ['Location'],
  },
  refusals: ['INVOICE_NUMBER_EXISTS', 'MISSING_LEGAL_MENTIONS'],
})

const updateInvoice = operation({
  id: 'updateInvoice',
  tag,
  summary: 'Change a PENDING invoice.',
  description:
    'Only the given fields change; `null` clears an optional one; lines are replaced as a whole.',
  caller,
  parameters,
  body: { schema: 'InvoiceChanges', examples: invoiceChanges },
  answer: { data: 'Invoice', examples: answers.changed },
  refusals: ['INVOICE_NOT_FOUND', 'INVOICE_NOT_EDITABLE', 'INVOICE_NUMBER_EXISTS'],
})

const cancelInvoice = operation({
  id: 'cancelInvoice',
  tag,
  summary: 'Cancel a PENDING invoice; its number stays used.',
  description:
    'For a draft alone. An invoice that is signed is locked: it is corrected by a credit note.',
  caller,
  parameters,
  answer: { data: 'Invoice', examples: answers.cancelled },
  refusals: ['INVOICE_NOT_FOUND', 'INVOICE_NOT_EDITABLE'],
})

const signInvoice = operation({
  id: 'signInvoice',
  tag,
  summary: 'Sign a PENDING invoice; clearance begins.',
  description: 'Locks the content for good, and answers SIGNED. Takes no body.',
  caller,
  parameters,
  answer: { data: 'Invoice', examples: answers.signed },
  refusals: ['INVOICE_NOT_FOUND', 'INVOICE_NOT_EDITABLE', 'MISSING_LEGAL_MENTIONS'],
})

const resubmitInvoice = operation({
  id: 'resubmitInvoice',
  tag,
  summary: 'Send a FAILED invoice to the tax authority again.',
  description: 'The same document under the same number; nothing is reported twice. Takes no body.',
  caller,
  parameters,
  answer: { data: 'Invoice', examples: answers.signed },
  refusals: ['INVOICE_NOT_FOUND', 'INVOICE_NOT_RESUBMITTABLE'],
})

export function invoicePaths(): Paths {
  const reading = readingPaths({ base, caller, idPrefix: '' })
  return {
    ...reading,
    [base]: { ...reading[base], post: createInvoice },
    [`${base}/{id}`]: {
      ...reading[`${base}/{id}`],
      put: updateInvoice,
      delete: cancelInvoice,
    },
    [`${base}/{id}/sign`]: { post: signInvoice },
    [`${base}/{id}/resubmit`]: { post: resubmitInvoice },
  }
}
