// Closing while the client still sends resets the connection, and the answer may be lost: further
// bytes are discarded for a while first (RFC 9112, section 9.6).

import type { IncomingMessage, ServerResponse } from 'node:http'
import { limits } from '@einvoicing/domain/limits'

const lingerMs = 2_000
const lingerBytes = 8 * limits.bodyBytes

const lingering = new WeakSet<ServerResponse>()
const discarded = new WeakSet<IncomingMessage>()

export function isLingering(response: ServerResponse): boolean {
  return lingering.has(response)
}

/** True: reading the rest would cost more than a new connection. */
export function leavesMuchUnread(request: IncomingMessage): boolean {
  if (request.complete || discarded.has(request)) return false
  // Reading began and was stopped.
  if (request.readableFlowing !== null) return true
  // A client that waited for 100 Continue may send the body or not: the next bytes are ambiguous.
  if (request.headers.expect !== undefined) return true
  const declared = request.headers['content-length']
  if (declared === undefined) return request.headers['transfer-encoding'] !== undefined
  return Number(declared) > limits.bodyBytes
}

/** For a request that leaves little: the rest takes no memory until it is answered. */
export function discardRest(request: IncomingMessage): void {
  discarded.add(request)
  request.resume()
}

/** `response` has its headers, with a length, and is the last of its connection. */
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
