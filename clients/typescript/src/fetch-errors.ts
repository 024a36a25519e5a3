import { EinvoicingError } from './errors'

// Node's error codes for connections that were never opened; another `ERR_SSL_` may end an open one.
const neverConnected =
  /^(ECONNREFUSED|ENOTFOUND|EAI_|EADDRNOTAVAIL|UND_ERR_CONNECT_TIMEOUT|ERR_TLS_|ERR_SSL_WRONG_VERSION_NUMBER|CERT_|DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_)/

interface Exchanged {
  address: string
  requestId: string
  answered: boolean
}

/** Browsers do not report the cause: there, any error may have occurred after sending. */
export function fetchError(error: TypeError, exchanged: Exchanged): EinvoicingError {
  const { address, requestId, answered } = exchanged
  const code = readCode(error.cause) ?? readCode(error)
  const details = { requestId, cause: error }
  const detail = code === undefined ? '' : ` (${code})`
  const isUnsent = isConnecting(error.cause) || neverConnected.test(code ?? '')
  if (!answered && isUnsent) {
    const { origin } = new URL(address)
    const message = `Cannot connect to ${origin}${detail}. Check that the service is running and that the address is correct.`
    return new EinvoicingError('UNREACHABLE', message, details)
  }
  const when = answered ? 'in the middle of the answer' : 'before an answer came'
  const message = `The connection to the service ended ${when}${detail}.`
  return new EinvoicingError('CONNECTION_LOST', message, details)
}

/** By name: an error may come from another realm, which has its own `TypeError`. */
export function isFetchError(error: unknown): error is TypeError {
  return readName(error) === 'TypeError'
}

export function isAbort(error: unknown, signal: AbortSignal): boolean {
  return error === signal.reason || readName(error) === 'AbortError'
}

/** For a name with several addresses the cause has no system call, but an error of each. */
function isConnecting(cause: unknown): boolean {
  const { errors, syscall } = (cause ?? {}) as { errors?: unknown; syscall?: unknown }
  return Array.isArray(errors) ? errors.every(isConnecting) : syscall === 'connect'
}

function readName(error: unknown): unknown {
  return (error as { name?: unknown } | null | undefined)?.name
}

function readCode(error: unknown): string | undefined {
  const code = (error as { code?: unknown } | null | undefined)?.code
  return typeof code === 'string' ? code : undefined
}
