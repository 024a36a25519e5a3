/**
 * For a person with the document and without a key. The address is the right to read, so no answer
 * is stored, indexed or logged with it.
 */

import { ApiError } from '@einvoicing/domain/api-error'
import type { Environment } from '@einvoicing/domain/environment'
import type { Log } from '@einvoicing/runtime/log'
import { create as contentDisposition } from 'content-disposition'
import type { ErrorRequestHandler, Request, Response } from 'express'
import type { Call } from '@einvoicing/rpc/call'
import type { Invoice } from '@einvoicing/proto/invoice'
import { downloadHeaders, fileName, readUnarchivedXml } from '../artefacts/routes'
import { sendBytes, type Headers } from '../http/envelope'
import { httpStatus, toApiError } from '../http/error-to-http'
import { createCall, getExchange } from '../http/exchange'
import { releaseWhileWaiting } from '../http/overload/slot'
import type { Handle, RouteTable } from '../http/route-table'
import type { RateLimit } from '../rate-limit/rate-limit'
import { findPageUrl, type PageAddresses } from '../invoices/page-addresses'
import { callFor, findDocument } from './find-document'
import { readLanguage } from './languages'
import { pageHeaders, privateHeaders, renderMessage } from './page'
import { renderDocument } from './render-document'
import { hasProof } from './shown-document'
import { readProof, verifyProof, type ProofDeps } from './verify-proof'

export interface VerificationPageDeps extends ProofDeps {
  addresses: PageAddresses
  rateLimit: RateLimit
  environment: Environment
  log: Log
}

interface Found {
  invoice: Invoice
  token: string
  /** On behalf of the organization of the invoice. */
  call: Call
}

type Answer = (
  deps: VerificationPageDeps,
  found: Found,
  exchange: { request: Request; response: Response },
) => Promise<void>

const answerPage: Answer = async (deps, { invoice, token, call }, { request, response }) => {
  const { environment, addresses, now } = deps
  const language = readLanguage(request)
  const report = await releaseWhileWaiting(response, () => verifyProof(deps, invoice, call))
  const url = findPageUrl(addresses, invoice, request)
  const shown = { invoice, report, environment, now: now(), url, token }
  sendBytes(response, {
    status: 200,
    headers: pageHeaders(language),
    body: renderDocument(language, shown),
  })
}

const answerOriginal: Answer = async ({ invoices }, { invoice, call }, { response }) => {
  const { xml } = await invoices.readSignedXml({ invoiceId: invoice.id, toSubmit: false }, call)
  sendFile(response, { body: xml, mediaType: 'application/xml', name: fileName(invoice, 'xml') })
}

const answerProof: Answer = async (deps, { invoice, call }, { response }) => {
  if (!hasProof(invoice)) throw notFound()
  const { xml, level = '' } = await readProof(deps, invoice, call)
  const { invoiceNumber } = invoice
  const name = fileName({ invoiceNumber: `${invoiceNumber}-${level}` }, 'xml')
  sendFile(response, { body: xml, mediaType: 'application/xml', name })
}

const answerPdf: Answer = async ({ invoices, artefacts }, { invoice, call }, { response }) => {
  const signedXml = await readUnarchivedXml(invoices, invoice, call)
  const { content } = await artefacts.readPdf({ invoice, signedXml }, call)
  const name = fileName(invoice, 'pdf')
  sendFile(response, { body: content, mediaType: 'application/pdf', name })
}

interface Sent {
  body: Buffer
  mediaType: string
  name: string
}

function sendFile(response: Response, { body, mediaType, name }: Sent): void {
  const headers: Headers = {
    ...downloadHeaders,
    ...privateHeaders,
    'Content-Type': mediaType,
    'Content-Disposition': contentDisposition(name, { type: 'attachment' }),
  }
  sendBytes(response, { status: 200, headers, body })
}

const notFound = () => new ApiError('NOT_FOUND', 'There is no document at this address.')

function answerDocument(deps: VerificationPageDeps, answer: Answer): Handle {
  return async (request, response) => {
    try {
      await deps.rateLimit.takePage(getExchange(response).network)
      const token = String(request.params['token'])
      const call = createCall(response)
      const invoice = await findDocument(deps.addresses, deps.invoices, { token, call })
      // With a slash at the end, the links of the page would lead elsewhere.
      if (!invoice || request.path.endsWith('/')) throw notFound()
      getExchange(response).invoiceId = invoice.id
      await answer(deps, { invoice, token, call: callFor(invoice, call) }, { request, response })
    } catch (error) {
      sendMessage(request, response, toApiError(error, response, deps.log))
    }
  }
}

function sendMessage(request: Request, response: Response, error: ApiError): void {
  const language = readLanguage(request)
  const status = httpStatus[error.code]
  getExchange(response).errorCode = error.code
  const message = status === 404 ? 'notFound' : status === 429 ? 'tooMany' : 'unavailable'
  const { retryAfterSeconds } = error
  const headers: Headers = {
    ...pageHeaders(language),
    ...(retryAfterSeconds !== undefined && { 'Retry-After': retryAfterSeconds }),
  }
  sendBytes(response, { status, headers, body: renderMessage(language, message) })
}

export function verificationPageRoutes(deps: VerificationPageDeps): RouteTable {
  return {
    '/:token': { GET: answerDocument(deps, answerPage) },
    '/:token/xml': { GET: answerDocument(deps, answerOriginal) },
    '/:token/proof': { GET: answerDocument(deps, answerProof) },
    '/:token/pdf': { GET: answerDocument(deps, answerPdf) },
  }
}

/** A token with an invalid percent-escape never reaches a handler. */
// oxlint-disable-next-line max-params -- Express recognizes an error handler by its four
export const answerUndecodableToken: ErrorRequestHandler = (error, request, response, next) => {
  if (error instanceof URIError) sendMessage(request, response, notFound())
  else next(error)
}
