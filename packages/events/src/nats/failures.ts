import { JetStreamApiCodes, JetStreamApiError } from '@nats-io/jetstream'
import { errors } from '@nats-io/transport-node'
import { SettingsError } from '@einvoicing/runtime/env'

/** JetStream's own numbers, where the client has no name for them. */
const apiCodes = {
  noPeersNow: 10_005,
  replicasNeedCluster: 10_074,
  sequenceNotFound: 10_043,
  deleteFailed: 10_057,
  storeFailed: 10_077,
} as const

const temporarily = 503

export function isNotThere(error: unknown): boolean {
  const { StreamNotFound, ConsumerNotFound } = JetStreamApiCodes
  return isApiError(error, StreamNotFound) || isApiError(error, ConsumerNotFound)
}

export function isNotPermitted(error: unknown): boolean {
  const cause = error instanceof Error && error.cause ? error.cause : error
  return cause instanceof errors.PermissionViolationError
}

export function isUnreachable(error: unknown): boolean {
  const cause = error instanceof Error && error.cause ? error.cause : error
  return (
    cause instanceof errors.NoRespondersError ||
    (cause instanceof errors.RequestError && cause.isNoResponders())
  )
}

/** The number is that of any failure to store; the text says that the stream holds this event. */
export function isDuplicateMessage(error: unknown): boolean {
  return isApiError(error, apiCodes.storeFailed) && /per subject/.test((error as Error).message)
}

/** The second number is that of any failure to delete; its text says that there is no message. */
export function isMessageGone(error: unknown): boolean {
  const isFailed = isApiError(error, apiCodes.deleteFailed)
  const isNoMessage = isFailed && /no message found/.test((error as Error).message)
  return isNoMessage || isApiError(error, apiCodes.sequenceNotFound)
}

/** `undefined` when it may recover by itself. */
export function asSettingsError(error: unknown): SettingsError | undefined {
  if (error instanceof SettingsError) return error
  const sentence = sentenceFor(error as NodeJS.ErrnoException)
  return sentence === undefined ? undefined : new SettingsError([sentence])
}

function sentenceFor(error: NodeJS.ErrnoException): string | undefined {
  const { name, message, code } = error
  if (name === 'AuthorizationError' || name === 'UserAuthenticationExpiredError') {
    return 'NATS_URL: the server rejected the user or password; check NATS_USER and NATS_PASSWORD_FILE, or NATS_CREDENTIALS_FILE'
  }
  if (name === 'PermissionViolationError') {
    return `NATS_USER lacks a permission that the event bus needs: ${message}`
  }
  if (name === 'JetStreamNotEnabled') {
    return 'NATS_URL: the server, or the account of NATS_USER in it, has no JetStream; switch it on, with store_dir and sync_interval: always'
  }
  if (message.startsWith('server does not support')) {
    return 'NATS_URL begins with tls:// or NATS_CA_FILE is set, but the server offers no TLS'
  }
  if (isCertificateError(String(code))) {
    return `NATS_CA_FILE: the certificate of NATS_URL's server is not trusted: ${message}`
  }
  return apiSentence(error)
}

function apiSentence(error: Error): string | undefined {
  if (!(error instanceof JetStreamApiError) || isNotThere(error)) return undefined
  if (error.status === temporarily || isApiError(error, apiCodes.noPeersNow)) return undefined
  return isApiError(error, apiCodes.replicasNeedCluster)
    ? `NATS_REPLICAS: ${error.message}`
    : `NATS_URL: JetStream rejected the streams of the event bus: ${error.message}`
}

function isCertificateError(code: string): boolean {
  return /CERT|ISSUER|SIGNATURE|ALTNAME/.test(code)
}

function isApiError(error: unknown, code: number): boolean {
  return error instanceof JetStreamApiError && error.code === code
}
