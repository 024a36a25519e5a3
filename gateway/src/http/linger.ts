/**
 * Answering a request whose body was not read to its end.
 *
 * A connection closed while its peer is still sending is reset, and the peer may lose the answer.
 * So the answer goes out whole, what still comes is thrown away for a while, and only then the
 * connection ends (RFC 9112, section 9.6).
 */

import type { IncomingMessage, ServerResponse } from 'node:http'
import { limits } from '@einvoicing/domain/limits'

const lingerMs = 2_000
const lingerBytes = 8 * limits.bodyBytes

const lingering = new WeakSet<ServerResponse>()

/** Whether the answer has been given whole, and only what still comes is thrown away. */
export function isLingering(response: ServerResponse): boolean {
  return lingering.has(response)
}

/** Whether reading the rest, to keep the connection, would cost more than a new connection. */
export function leavesMuchUnread(request: IncomingMessage): boolean {
  if (request.complete) return false
  // We began to read it, and stopped.
  if (request.readableFlowing !== null) return true
  // Who was told to wait for 100 and got an answer instead may send the body or not: the next bytes
  // mean nothing.
  if (request.headers.expect !== undefined) return true
  const declared = request.headers['content-length']
  if (declared === undefined) return request.headers['transfer-encoding'] !== undefined
  return Number(declared) > limits.bodyBytes
}

/** `response` has its head, with a length, and is the last of its connection. */
export function endWithRequestUnread(
  request: IncomingMessage,
  response: ServerResponse,
  body: string | Buffer,
): void {
  lingering.add(response)
  response.write(body)
  let thrownAway = 0
  const end = (): void => {
    clearTimeout(timer)
    response.end()
  }
  const timer = setTimeout(end, lingerMs)
  request.on('data', (chunk: Buffer) => {
    thrownAway += chunk.length
    if (thrownAway > lingerBytes) end()
  })
  request.once('end', end)
  request.once('close', end)
  request.resume()
}
