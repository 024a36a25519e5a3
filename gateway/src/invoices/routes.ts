import type { Clock } from '@einvoicing/runtime/clock'
import { limits } from '@einvoicing/domain/limits'
import { ApiError } from '@einvoicing/domain/api-error'
import type { Service } from '@einvoicing/rpc/call'
import type { InvoicesService, Issuer } from '@einvoicing/proto/invoices'
import type { Request, Response } from 'express'
import { sendCreated, sendOk } from '../http/envelope'
import { createCall, getExchange } from '../http/exchange'
import { readJsonText } from '../http/body/read-json'
import type { Handle } from '../http/route-table'
import { invoiceIdParameter, readInvoiceId } from './invoice-id'
import {
  presentCreated,
  presentInvoice,
  presentListed,
  presentPage,
  presentStatus,
} from './present'
import { readInvoiceChanges, readNewInvoice } from './read-body'
import { listRules, readListQuery } from './read-query'
import { readVersion } from './read-version'
import {
  createdInvoiceSchema,
  invoicePageSchema,
  invoiceSchema,
  invoiceStatusSchema,
} from './answers'
import { answerExamples, changeExamples } from './examples'
import { invoiceChanges } from './invoice-schema'
import { newInvoiceBody } from './new-invoice-body'
import { toRequestContent } from './newer-fields'
import { findPageUrl, type PageAddresses } from './page-addresses'
import type { ApiTable, EnvelopeAnswer, Examples, Parameter } from '../routes/api-route'

export interface InvoiceRouteDeps {
  invoices: Service<InvoicesService>
  addresses: PageAddresses
  now: Clock
}

type Deps = InvoiceRouteDeps

const create =
  ({ invoices, addresses, now }: Deps): Handle =>
  async (request, response) => {
    const { content, draft } = readNewInvoice(await readText(request, response), now())
    const invoice = await invoices.createInvoice(
      { issuer: readIssuer(response), draft, ...toRequestContent(content) },
      createCall(response),
    )
    getExchange(response).invoiceId = invoice.id
    sendCreated(response, presentCreated(invoice, findPageUrl(addresses, invoice, request)), {
      Location: `${request.baseUrl}/${invoice.id}`,
    })
  }

const readText = (request: Request, response: Response): Promise<string> =>
  readJsonText(request, response, limits.bodyBytes)

const list =
  ({ invoices }: Deps): Handle =>
  async (request, response) => {
    const query = readListQuery(request.url)
    const { invoices: listed, total } = await invoices.listInvoices(query, createCall(response))
    sendOk(response, presentPage(listed.map(presentListed), query.page, total))
  }

const read =
  ({ invoices, addresses }: Deps): Handle =>
  async (request, response) => {
    const invoiceId = readInvoiceId(request, response)
    const invoice = await invoices.getInvoice({ invoiceId }, createCall(response))
    sendOk(response, presentInvoice(invoice, findPageUrl(addresses, invoice, request)))
  }

const readStatus =
  ({ invoices }: Deps): Handle =>
  async (request, response) => {
    const invoiceId = readInvoiceId(request, response)
    sendOk(response, presentStatus(await invoices.getInvoice({ invoiceId }, createCall(response))))
  }

const update =
  ({ invoices, addresses, now }: Deps): Handle =>
  async (request, response) => {
    const invoiceId = readInvoiceId(request, response)
    const changes = await readForDraft(invoices, { invoiceId, response }, async () => ({
      ...readInvoiceChanges(await readText(request, response), now()),
      ifUpdatedAt: readVersion(request.headers['if-match']),
    }))
    const invoice = await invoices.updateInvoice(
      { ...changes, invoiceId, issuer: readIssuer(response) },
      createCall(response),
    )
    sendOk(response, presentInvoice(invoice, findPageUrl(addresses, invoice, request)))
  }

const cancel =
  ({ invoices, addresses }: Deps): Handle =>
  async (request, response) => {
    const draft = await readDraftVersion(invoices, request, response)
    const invoice = await invoices.cancelInvoice(draft, createCall(response))
    sendOk(response, presentInvoice(invoice, findPageUrl(addresses, invoice, request)))
  }

const sign =
  ({ invoices, addresses }: Deps): Handle =>
  async (request, response) => {
    const draft = await readDraftVersion(invoices, request, response)
    const invoice = await invoices.signInvoice(
      { ...draft, issuer: readIssuer(response) },
      createCall(response),
    )
    sendOk(response, presentInvoice(invoice, findPageUrl(addresses, invoice, request)))
  }

const resubmit =
  ({ invoices, addresses }: Deps): Handle =>
  async (request, response) => {
    const invoiceId = readInvoiceId(request, response)
    const invoice = await invoices.resubmitInvoice({ invoiceId }, createCall(response))
    sendOk(response, presentInvoice(invoice, findPageUrl(addresses, invoice, request)))
  }

async function readDraftVersion(
  invoices: Deps['invoices'],
  request: Request,
  response: Response,
): Promise<{ invoiceId: string; ifUpdatedAt: string | undefined }> {
  const invoiceId = readInvoiceId(request, response)
  const ifUpdatedAt = await readForDraft(invoices, { invoiceId, response }, async () =>
    readVersion(request.headers['if-match']),
  )
  return { invoiceId, ifUpdatedAt }
}

/** Not found and not editable are reported before not valid. */
async function readForDraft<T>(
  invoices: Deps['invoices'],
  { invoiceId, response }: { invoiceId: string; response: Response },
  read: () => Promise<T>,
): Promise<T> {
  return readOrCheck(read, () => invoices.checkEditable({ invoiceId }, createCall(response)))
}

/** What `check` throws is reported before a `VALIDATION_ERROR` of `read`. */
export async function readOrCheck<T>(
  read: () => Promise<T>,
  check: () => Promise<unknown>,
): Promise<T> {
  try {
    return await read()
  } catch (thrown) {
    if (thrown instanceof ApiError && thrown.code === 'VALIDATION_ERROR') await check()
    throw thrown
  }
}

export function readIssuer(response: Response): Issuer {
  const { issuer } = getExchange(response)
  if (!issuer) throw new Error('no issuer for this document')
  return issuer
}

const ifMatch: Parameter = {
  name: 'If-Match',
  in: 'header',
  description:
    'The `updatedAt` of the draft you read, in double quotes: it is changed, signed or cancelled only if it has not changed since.',
  schema: {
    type: 'string',
    pattern: '^(\\*|"[!#-~]+")$',
    examples: [`"${answerExamples.changed.pending.updatedAt}"`],
  },
}

const parameters = [invoiceIdParameter]

const invoiceAnswer = (examples: Examples): EnvelopeAnswer => ({
  name: 'Invoice',
  schema: invoiceSchema,
  examples,
})

export const invoiceRoutes: ApiTable<InvoiceRouteDeps> = {
  '/': {
    GET: {
      handle: list,
      operationId: 'listInvoices',
      summary: "List the organization's invoices, page by page, without their lines.",
      description:
        'Newest first unless `sort` says otherwise. Filters are combined with AND. Amounts are in the currency of each invoice.',
      query: listRules,
      answer: { name: 'InvoicePage', schema: invoicePageSchema, examples: answerExamples.page },
    },
    POST: {
      handle: create,
      operationId: 'createInvoice',
      summary: 'Create an invoice: computed and signed before the answer, cleared after it.',
      description:
        'All or nothing: after an error nothing is stored and the number stays free; after 500, 503 or no answer the whole invoice may exist. Safe to retry: an existing number returns 409 INVOICE_NUMBER_EXISTS.',
      body: newInvoiceBody,
      answer: {
        status: 201,
        name: 'CreatedInvoice',
        schema: createdInvoiceSchema,
        examples: answerExamples.created,
        headers: ['Location'],
        links: [
          'readInvoice',
          'readInvoiceStatus',
          'updateInvoice',
          'signInvoice',
          'cancelInvoice',
          'resubmitInvoice',
          'downloadXml',
          'downloadPdf',
          'downloadQr',
        ],
      },
      errors: [
        'INVOICE_NUMBER_EXISTS',
        'ORGANIZATION_NOT_APPROVED',
        'MISSING_LEGAL_MENTIONS',
        'INVOICE_NOT_CREDITABLE',
        'CREDIT_EXCEEDS_INVOICE',
      ],
    },
  },
  '/:id': {
    GET: {
      handle: read,
      operationId: 'readInvoice',
      summary: 'Read one invoice, with its lines and the decision of the tax authority.',
      description:
        'The `dgi…` fields are null until the tax authority has answered. To poll, use `…/status`: it is smaller.',
      parameters,
      answer: invoiceAnswer(answerExamples.read),
      errors: ['INVOICE_NOT_FOUND'],
    },
    PUT: {
      handle: update,
      operationId: 'updateInvoice',
      summary: 'Change a PENDING invoice.',
      description:
        'Only the fields you send change. `null` clears an optional field; lines are replaced as a whole.',
      parameters: [...parameters, ifMatch],
      body: { name: 'InvoiceChanges', schema: invoiceChanges, examples: changeExamples },
      answer: invoiceAnswer(answerExamples.changed),
      errors: [
        'INVOICE_NOT_FOUND',
        'INVOICE_NOT_EDITABLE',
        'INVOICE_CHANGED',
        'INVOICE_NUMBER_EXISTS',
      ],
    },
    DELETE: {
      handle: cancel,
      operationId: 'cancelInvoice',
      summary: 'Cancel a PENDING invoice; its number cannot be reused.',
      description: 'Only drafts can be cancelled. A signed invoice is corrected by a credit note.',
      parameters: [...parameters, ifMatch],
      answer: invoiceAnswer(answerExamples.cancelled),
      errors: ['INVOICE_NOT_FOUND', 'INVOICE_NOT_EDITABLE', 'INVOICE_CHANGED'],
    },
  },
  '/:id/status': {
    GET: {
      handle: readStatus,
      operationId: 'readInvoiceStatus',
      summary: 'Read the clearance status of an invoice.',
      description:
        'Poll with increasing pauses until ACCEPTED, REJECTED or FAILED. A rejection is not an HTTP error: `dgiErrorCode` and `dgiErrorMessage` say why.',
      parameters,
      answer: {
        name: 'InvoiceStatus',
        schema: invoiceStatusSchema,
        examples: answerExamples.status,
      },
      errors: ['INVOICE_NOT_FOUND'],
    },
  },
  '/:id/sign': {
    POST: {
      handle: sign,
      operationId: 'signInvoice',
      summary: 'Sign a PENDING invoice and start its clearance.',
      description:
        'Locks the content permanently and returns SIGNED. Takes no body. 400 if the dates of the draft are out of range by now: change them first.',
      parameters: [...parameters, ifMatch],
      answer: invoiceAnswer(answerExamples.signed),
      errors: [
        'VALIDATION_ERROR',
        'INVOICE_NOT_FOUND',
        'INVOICE_NOT_EDITABLE',
        'INVOICE_CHANGED',
        'ORGANIZATION_NOT_APPROVED',
        'MISSING_LEGAL_MENTIONS',
        'INVOICE_NOT_CREDITABLE',
        'CREDIT_EXCEEDS_INVOICE',
      ],
    },
  },
  '/:id/resubmit': {
    POST: {
      handle: resubmit,
      operationId: 'resubmitInvoice',
      summary: 'Send a FAILED invoice to the tax authority again.',
      description:
        'The same document under the same number; it is never reported twice. Takes no body.',
      parameters,
      answer: invoiceAnswer(answerExamples.signed),
      errors: ['INVOICE_NOT_FOUND', 'INVOICE_NOT_RESUBMITTABLE'],
    },
  },
}
