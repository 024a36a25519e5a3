import { randomUUID } from 'node:crypto'
import { STATUS_CODES, type ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import { ApiError } from '@einvoicing/domain/api-error'
import { jsonHeaders, toErrorEnvelope } from '../envelope'
import { readRequestId } from '../exchange'
import { isLingering } from '../linger'
import { httpStatus } from '../error-to-http'
import { securityHeaders, setSecurityHeaders } from '../security-headers'

export function toBrokenRequestError({ code }: { code?: string | undefined }): ApiError {
  switch (code) {
    case 'HPE_HEADER_OVERFLOW':
      return new ApiError(
        'HEADERS_TOO_LARGE',
        'The headers are larger than 16 KiB: send fewer or shorter ones.',
      )
    case 'HPE_CHUNK_EXTENSIONS_OVERFLOW':
      return new ApiError('PAYLOAD_TOO_LARGE', 'The chunk extensions are too large: send none.')
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return new ApiError('REQUEST_TIMEOUT', 'The request did not arrive in time: send it again.')
    default:
      return new ApiError(
        'BAD_REQUEST',
        'This is not a well-formed HTTP/1.1 request: use an HTTP library.',
      )
  }
}

/** `under`: the answer in progress, if the error is in its body. */
export function answerBrokenRequest(
  error: NodeJS.ErrnoException,
  socket: Duplex,
  under: ServerResponse | undefined,
): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy()
  } else if (!under) {
    endSocket(socket, toBrokenRequestError(error))
  } else if (under.req.complete) {
    // The error follows a valid request, which is answered first.
    under.once('close', () => endSocket(socket, toBrokenRequestError(error)))
  } else if (isLingering(under)) {
    under.end()
  } else if (under.headersSent) {
    socket.destroy()
  } else {
    endResponse(under, toBrokenRequestError(error))
  }
}

/** `under`: the answer in progress on this connection. */
export function answerConnect(socket: Duplex, under: ServerResponse | undefined): void {
  // The server has removed its own listener.
  socket.on('error', () => socket.destroy())
  const answer = new ApiError('METHOD_NOT_ALLOWED', 'CONNECT is not allowed here.')
  const end = () => endSocket(socket, answer, 'Allow: \r\n')
  if (under) under.once('close', end)
  else end()
}

function endResponse(response: ServerResponse, answer: ApiError): void {
  const body = JSON.stringify(toErrorEnvelope(answer))
  response.shouldKeepAlive = false
  if (!response.hasHeader('X-Request-Id')) {
    setSecurityHeaders(response)
    response.setHeader('X-Request-Id', readRequestId(response.req))
  }
  const headers = { ...jsonHeaders, 'Content-Length': Buffer.byteLength(body) }
  response.writeHead(httpStatus[answer.code], headers).end(body)
}

function endSocket(socket: Duplex, answer: ApiError, headers = ''): void {
  if (!socket.writable) return
  const status = httpStatus[answer.code]
  const body = JSON.stringify(toErrorEnvelope(answer))
  const head = Object.entries({
    ...securityHeaders,
    ...jsonHeaders,
    'Content-Length': Buffer.byteLength(body),
    'X-Request-Id': randomUUID(),
    Connection: 'close',
  }).map(([name, value]) => `${name}: ${value}\r\n`)
  socket.on('error', () => socket.destroy())
  socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${head.join('')}${headers}\r\n${body}`)
}
