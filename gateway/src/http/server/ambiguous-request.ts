// Requests that two servers could read differently are rejected, so that none can be smuggled
// through a proxy (RFC 9112, sections 3.2, 6.1 and 11.2).

import type { IncomingMessage } from 'node:http'

const validHost = /^(?:[\w.~-]{1,255}|\[[\da-f:.]{2,45}\])(?::\d{1,5})?$/i

export function findAmbiguity({ httpVersion, rawHeaders }: IncomingMessage): string | undefined {
  const hosts = readHeaderValues(rawHeaders, 'host')
  const [host] = hosts
  if (host === undefined && httpVersion === '1.1') {
    return 'An HTTP/1.1 request needs a Host header: send one.'
  }
  if (hosts.length > 1) return 'The request has more than one Host header: send one.'
  if (host !== undefined && !validHost.test(host)) {
    return 'The Host header is not a host name or address with an optional port: correct it.'
  }
  const codings = readHeaderValues(rawHeaders, 'transfer-encoding')
  if (codings.length === 0) return undefined
  if (httpVersion !== '1.1') return 'A Transfer-Encoding needs HTTP/1.1: send a Content-Length.'
  if (codings.length === 1 && codings[0]?.toLowerCase() === 'chunked') return undefined
  return 'This Transfer-Encoding is not supported: send "chunked" or a Content-Length.'
}

function readHeaderValues(rawHeaders: readonly string[], name: string): string[] {
  return rawHeaders.filter((_, at) => at % 2 === 1 && rawHeaders[at - 1]?.toLowerCase() === name)
}
