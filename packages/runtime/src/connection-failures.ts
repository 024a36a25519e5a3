// The same request may succeed later. Database clients wrap some of these and pass others on.

import { types } from 'node:util'

/** `cut`: an open connection broke, and whether the request was executed is unknown. */
type Kind = 'cut' | 'unreachable' | 'silent'

export const connectionFailures: Readonly<Record<string, Kind>> = {
  ECONNRESET: 'cut',
  ECONNABORTED: 'cut',
  EPIPE: 'cut',
  ENOTCONN: 'cut',
  ESHUTDOWN: 'cut',
  ENETRESET: 'cut',
  ERR_SOCKET_CLOSED: 'cut',
  ERR_SOCKET_CLOSED_BEFORE_CONNECTION: 'cut',
  ERR_STREAM_DESTROYED: 'cut',
  ERR_STREAM_PREMATURE_CLOSE: 'cut',
  ERR_STREAM_WRITE_AFTER_END: 'cut',
  ERR_HTTP2_GOAWAY_SESSION: 'cut',
  ERR_HTTP2_INVALID_SESSION: 'cut',
  ERR_HTTP2_INVALID_STREAM: 'cut',
  ERR_HTTP2_SESSION_ERROR: 'cut',
  ERR_HTTP2_STREAM_CANCEL: 'cut',
  ERR_HTTP2_STREAM_ERROR: 'cut',
  UND_ERR_SOCKET: 'cut',
  ECONNREFUSED: 'unreachable',
  EHOSTUNREACH: 'unreachable',
  EHOSTDOWN: 'unreachable',
  ENETUNREACH: 'unreachable',
  ENETDOWN: 'unreachable',
  ENOTFOUND: 'unreachable',
  EAI_AGAIN: 'unreachable',
  ESERVFAIL: 'unreachable',
  // This machine has no port, file descriptor or buffer left.
  EADDRNOTAVAIL: 'unreachable',
  EMFILE: 'unreachable',
  ENFILE: 'unreachable',
  ENOBUFS: 'unreachable',
  ETIMEDOUT: 'silent',
  ETIMEOUT: 'silent',
  TIMEOUT: 'silent',
  ERR_SOCKET_CONNECTION_TIMEOUT: 'silent',
  ERR_TLS_HANDSHAKE_TIMEOUT: 'silent',
  UND_ERR_CONNECT_TIMEOUT: 'silent',
}

// Deeper than any client wraps, and an end for circular causes.
const depthMax = 8

export function isConnectionFailure(error: unknown): boolean {
  return findKind(error, depthMax) !== undefined
}

export function isConnectionCut(error: unknown): boolean {
  return findKind(error, depthMax) === 'cut'
}

function findKind(error: unknown, depth: number): Kind | undefined {
  // Node's own errors may be of another realm, where `instanceof` fails.
  if (!types.isNativeError(error) || depth === 0) return undefined
  const { code, errors } = error as NodeJS.ErrnoException & Partial<AggregateError>
  if (typeof code === 'string' && Object.hasOwn(connectionFailures, code)) {
    return connectionFailures[code]
  }
  // A name with several addresses fails once for each.
  const causes: unknown[] = errors ?? [error.cause]
  return causes.map((cause) => findKind(cause, depth - 1)).find((kind) => kind !== undefined)
}
