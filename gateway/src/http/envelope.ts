import type { ApiError, FieldError } from '@einvoicing/domain/api-error'
import type { Response } from 'express'
import { writeExactJson } from '../json/exact-json'
import { endWithRequestUnread, leavesMuchUnread } from './linger'
import { findSlot } from './overload/slot'

export interface Envelope {
  code: string
  message: string
  data: object | null
  errors: readonly FieldError[] | null
}

export function toErrorEnvelope(error: ApiError): Envelope {
  const { code, message, fieldErrors = null } = error
  return { code, message, data: null, errors: fieldErrors }
}

export type Headers = Record<string, string | number>

export const jsonHeaders = {
  'Content-Type': 'application/json; charset=utf-8',
  'Cache-Control': 'no-store',
} as const

export function sendOk(response: Response, data: object, headers?: Headers): void {
  send(response, {
    status: 200,
    headers,
    envelope: { code: 'OK', message: 'OK', data, errors: null },
  })
}

export function sendCreated(response: Response, data: object, headers?: Headers): void {
  send(response, {
    status: 201,
    headers,
    envelope: { code: 'OK', message: 'Created', data, errors: null },
  })
}

export function sendAccepted(response: Response, data: object): void {
  send(response, { status: 202, envelope: { code: 'OK', message: 'Accepted', data, errors: null } })
}

interface Sent {
  status: number
  headers?: Headers | undefined
  envelope: Envelope
}

export function send(response: Response, { status, headers, envelope }: Sent): void {
  const body = writeExactJson(envelope)
  sendBytes(response, { status, headers: Object.assign({}, jsonHeaders, headers), body })
}

export interface BytesAnswer {
  status: number
  headers: Headers
  body: string | Buffer
}

/** Discards an unread request body, so that it is not read as the next request. */
export function sendBytes(response: Response, { status, headers, body }: BytesAnswer): void {
  if (response.headersSent || response.destroyed) {
    // Half of another answer is sent: cutting the connection is the only way to report the error.
    response.destroy()
    return
  }
  const length = { 'Content-Length': Buffer.byteLength(body) }
  if (leavesMuchUnread(response.req)) {
    response.shouldKeepAlive = false
    findSlot(response)?.release()
    response.writeHead(status, Object.assign({}, headers, length))
    endWithRequestUnread(response.req, response, body)
  } else {
    response.writeHead(status, Object.assign({}, headers, length))
    // Behind another answer of its connection, a string takes the heap: two bytes a character.
    const isWaitingText = !response.socket && typeof body === 'string'
    response.end(isWaitingText ? Buffer.from(body) : body)
  }
}
