import { invoiceNotFound } from '@einvoicing/domain/api-error'
import type { ErrorRequestHandler, Request, Response } from 'express'
import { idParameter, readPathId } from '../fields/uuid'
import { getExchange } from '../http/exchange'
import type { Parameter } from '../routes/api-route'
import { invoiceId } from './examples'

const parameter = idParameter('A malformed id returns 404, like an unknown one.')

export const invoiceIdParameter: Parameter = {
  ...parameter,
  schema: { ...parameter.schema, examples: [invoiceId] },
}

export function readInvoiceId(request: Request, response: Response): string {
  const id = readPathId(request, invoiceNotFound)
  getExchange(response).invoiceId = id
  return id
}

// An id with an invalid percent-escape never reaches a handler.
// oxlint-disable-next-line max-params -- Express recognizes an error handler by its four
export const answerUndecodableId: ErrorRequestHandler = (error, _request, _response, next) => {
  next(error instanceof URIError ? invoiceNotFound() : error)
}
