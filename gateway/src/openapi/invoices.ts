/** The paths of invoices: the same behind an API key and behind a session. */

import { listRules } from '../invoices/read-query'
import { requestedWith } from './accounts'
import {
  operation,
  queryParameters,
  type Caller,
  type OperationObject,
  type OperationPlan,
  type Parameter,
  type Paths,
} from './operation'
import type { PublicCode } from './errors'
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

function readingPaths({ base, caller, idPrefix }: Reader): Paths {
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

const ifMatch: Parameter = {
  name: 'If-Match',
  in: 'header',
  description:
    "The draft's `updatedAt` as it was read, in double quotes: the change is made only if nobody changed it since.",
  schema: {
    type: 'string',
    pattern: '^(\\*|"[!#-~]+")$',
    examples: [`"${answers.changed.pending.updatedAt}"`],
  },
}

type WritePlan = Omit<OperationPlan, 'tag' | 'caller'>

const withItsId = [
  'readInvoice',
  'readInvoiceStatus',
  'updateInvoice',
  'signInvoice',
  'cancelInvoice',
  'resubmitInvoice',
  'downloadXml',
  'downloadPdf',
  'downloadQr',
]

const createInvoice: WritePlan = {
  id: 'createInvoice',
  summary: 'Create an invoice: totalled and signed before the answer, cleared after it.',
  description:
    'All or nothing: on any error nothing is stored and the number stays free. Safe to send again: an invoice that exists answers 409 INVOICE_NUMBER_EXISTS.',
  body: { schema: 'NewInvoice', examples: newInvoices, summaries: newInvoiceSummaries },
  answer: {
    status: 201,
    data: 'CreatedInvoice',
    examples: answers.created,
    headers: ['Location'],
    links: withItsId,
  },
  refusals: ['INVOICE_NUMBER_EXISTS', 'MISSING_LEGAL_MENTIONS'],
}

const updateInvoice: WritePlan = {
  id: 'updateInvoice',
  summary: 'Change a PENDING invoice.',
  description:
    'Only the given fields change; `null` clears an optional one; lines are replaced as a whole.',
  parameters: [...parameters, ifMatch],
  body: { schema: 'InvoiceChanges', examples: invoiceChanges },
  answer: { data: 'Invoice', examples: answers.changed },
  refusals: [
    'INVOICE_NOT_FOUND',
    'INVOICE_NOT_EDITABLE',
    'INVOICE_CHANGED',
    'INVOICE_NUMBER_EXISTS',
  ],
}

const cancelInvoice: WritePlan = {
  id: 'cancelInvoice',
  summary: 'Cancel a PENDING invoice; its number stays used.',
  description:
    'For a draft alone. An invoice that is signed is locked: it is corrected by a credit note.',
  parameters,
  answer: { data: 'Invoice', examples: answers.cancelled },
  refusals: ['INVOICE_NOT_FOUND', 'INVOICE_NOT_EDITABLE'],
}

const signInvoice: WritePlan = {
  id: 'signInvoice',
  summary: 'Sign a PENDING invoice; clearance begins.',
  description:
    'Locks the content for good, and answers SIGNED. Takes no body. 400 where the dates of the draft are out of bounds by now: change them first.',
  parameters,
  answer: { data: 'Invoice', examples: answers.signed },
  refusals: [
    'VALIDATION_ERROR',
    'INVOICE_NOT_FOUND',
    'INVOICE_NOT_EDITABLE',
    'MISSING_LEGAL_MENTIONS',
  ],
}

const resubmitInvoice: WritePlan = {
  id: 'resubmitInvoice',
  summary: 'Send a FAILED invoice to the tax authority again.',
  description: 'The same document under the same number; nothing is reported twice. Takes no body.',
  parameters,
  answer: { data: 'Invoice', examples: answers.signed },
  refusals: ['INVOICE_NOT_FOUND', 'INVOICE_NOT_RESUBMITTABLE'],
}

export function invoicePaths(reader: Reader): Paths {
  const { base } = reader
  const reading = readingPaths(reader)
  const write = (plan: WritePlan) => writing(reader, plan)
  return {
    ...reading,
    [base]: { ...reading[base], post: write(createInvoice) },
    [`${base}/{id}`]: {
      ...reading[`${base}/{id}`],
      put: write(updateInvoice),
      delete: write(cancelInvoice),
    },
    [`${base}/{id}/sign`]: { post: write(signInvoice) },
    [`${base}/{id}/resubmit`]: { post: write(resubmitInvoice) },
  }
}

const ofMembers: readonly PublicCode[] = ['CSRF_REFUSED', 'FORBIDDEN']

function writing({ caller, idPrefix }: Reader, plan: WritePlan): OperationObject {
  const bySession = caller === 'session'
  const { parameters = [], refusals = [], answer } = plan
  const links = 'links' in answer && answer.links.map((linked) => `${idPrefix}${linked}`)
  const told = [...parameters, ...(bySession ? [requestedWith] : [])]
  return operation({
    ...plan,
    id: `${idPrefix}${plan.id}`,
    tag,
    caller,
    ...(told.length > 0 && { parameters: told }),
    answer: { ...answer, ...(links && { links }) },
    refusals: [...refusals, ...(bySession ? ofMembers : [])],
  })
}
