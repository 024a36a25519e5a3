/**
 * The endpoints of an invoice (specification, section 4): each reads its request, asks the service,
 * and presents the answer.
 */

import type { Clock } from '@einvoicing/runtime/clock'
import { limits } from '@einvoicing/domain/limits'
import { ApiError } from '@einvoicing/domain/api-error'
import type { Service } from '@einvoicing/rpc/call'
import type { InvoicesService, Issuer } from '@einvoicing/proto/invoices'
import type { Request, Response } from 'express'
import { sendCreated, sendOk } from '../http/envelope'
import { createCall, getExchange } from '../http/exchange'
import { readJsonText } from '../http/body/read-json'
import type { Handle, RouteTable } from '../http/route-table'
import { readInvoiceId } from './invoice-id'
import {
  presentCreated,
  presentInvoice,
  presentListed,
  presentPage,
  presentStatus,
} from './present'
import { readInvoiceChanges, readNewInvoice } from './read-body'
import { readListQuery } from './read-query'
import { readVersion } from './read-version'

export interface InvoiceRouteDeps {
  invoices: Service<InvoicesService>
  now: Clock
}

/** Behind an API key, and behind a dashboard session too. */
export function invoiceRoutes({ invoices, now }: InvoiceRouteDeps): RouteTable {
  return {
    '/': { GET: list(invoices), POST: create(invoices, now) },
    '/:id': { GET: read(invoices), PUT: update(invoices, now), DELETE: cancel(invoices) },
    '/:id/status': { GET: readStatus(invoices) },
    '/:id/sign': { POST: sign(invoices) },
    '/:id/resubmit': { POST: resubmit(invoices) },
  }
}

type Invoices = Service<InvoicesService>

const create =
  (invoices: Invoices, now: Clock): Handle =>
  async (request, response) => {
    const { content, draft } = readNewInvoice(await readText(request, response), now())
    const invoice = await invoices.createInvoice(
      { issuer: issuerOf(response), content, draft },
      createCall(response),
    )
    getExchange(response).invoiceId = invoice.id
    sendCreated(response, presentCreated(invoice), { Location: `${request.baseUrl}/${invoice.id}` })
  }

const readText = (request: Request, response: Response): Promise<string> =>
  readJsonText(request, response, limits.bodyBytes)

const list =
  (invoices: Invoices): Handle =>
  async (request, response) => {
    const query = readListQuery(request.url)
    const { invoices: listed, total } = await invoices.listInvoices(query, createCall(response))
    sendOk(
      response,
      presentPage(listed.map(presentListed), query.page ?? { page: 0, size: 0 }, total),
    )
  }

const read =
  (invoices: Invoices): Handle =>
  async (request, response) => {
    const invoiceId = readInvoiceId(request, response)
    sendOk(response, presentInvoice(await invoices.getInvoice({ invoiceId }, createCall(response))))
  }

const readStatus =
  (invoices: Invoices): Handle =>
  async (request, response) => {
    const invoiceId = readInvoiceId(request, response)
    sendOk(response, presentStatus(await invoices.getInvoice({ invoiceId }, createCall(response))))
  }

const update =
  (invoices: Invoices, now: Clock): Handle =>
  async (request, response) => {
    const invoiceId = readInvoiceId(request, response)
    const changes = await validOrRefusal(async () => ({
      ...readInvoiceChanges(await readText(request, response), now()),
      ifUpdatedAt: readVersion(request.headers['if-match']),
    }))
    if (changes instanceof ApiError) {
      // Not found and not editable are reported before not valid.
      await invoices.checkEditable({ invoiceId }, createCall(response))
      throw changes
    }
    const invoice = await invoices.updateInvoice(
      { ...changes, invoiceId, issuer: issuerOf(response) },
      createCall(response),
    )
    sendOk(response, presentInvoice(invoice))
  }

const cancel =
  (invoices: Invoices): Handle =>
  async (request, response) => {
    const invoiceId = readInvoiceId(request, response)
    sendOk(
      response,
      presentInvoice(await invoices.cancelInvoice({ invoiceId }, createCall(response))),
    )
  }

const sign =
  (invoices: Invoices): Handle =>
  async (request, response) => {
    const signing = { invoiceId: readInvoiceId(request, response), issuer: issuerOf(response) }
    sendOk(response, presentInvoice(await invoices.signInvoice(signing, createCall(response))))
  }

const resubmit =
  (invoices: Invoices): Handle =>
  async (request, response) => {
    const invoiceId = readInvoiceId(request, response)
    sendOk(
      response,
      presentInvoice(await invoices.resubmitInvoice({ invoiceId }, createCall(response))),
    )
  }

async function validOrRefusal<T>(read: () => Promise<T>): Promise<T | ApiError> {
  try {
    return await read()
  } catch (thrown) {
    if (thrown instanceof ApiError && thrown.code === 'VALIDATION_ERROR') return thrown
    throw thrown
  }
}

function issuerOf(response: Response): Issuer {
  const { issuer } = getExchange(response)
  if (!issuer) throw new Error('a document was asked for without an issuer')
  return issuer
}
