import { invoiceNotFound } from '@einvoicing/domain/api-error'
import type { ErrorRequestHandler, Request, Response } from 'express'
import { isUuid } from '../fields/uuid'
import { getExchange } from '../http/exchange'
import { toAnswerSchema } from '../fields/json-schema'
import { uuid } from '../fields/answer-fields'
import type { Parameter } from '../routes/api-route'
import { invoiceId } from './examples'

export const invoiceIdParameter: Parameter = {
  name: 'id',
  in: 'path',
  required: true,
  description: 'A malformed id returns 404, like an unknown one.',
  schema: { ...toAnswerSchema(uuid), examples: [invoiceId] },
}

/** In lower case, as issued (RFC 9562, section 4). Throws `INVOICE_NOT_FOUND`. */
export function readInvoiceId(request: Request, response: Response): string {
  const id = String(request.params['id']).toLowerCase()
  if (!isUuid(id)) throw invoiceNotFound()
  getExchange(response).invoiceId = id
  return id
}

// An id with an invalid percent-escape never reaches a handler.
// oxlint-disable-next-line max-params -- Express recognizes an error handler by its four
export const answerUndecodableId: ErrorRequestHandler = (error, _request, _response, next) => {
  next(error instanceof URIError ? invoiceNotFound() : error)
}
