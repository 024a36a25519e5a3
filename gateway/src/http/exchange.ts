import { randomUUID } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Caller } from '@einvoicing/rpc/caller'
import { clientNetwork } from '@einvoicing/access/client-network'
import { deadlinesMs, limits } from '@einvoicing/domain/limits'
import { ApiError } from '@einvoicing/domain/api-error'
import type { Call } from '@einvoicing/rpc/call'
import type { Span } from '@einvoicing/runtime/trace'
import type { Issuer } from '@einvoicing/proto/invoices'
import type { MemberRole } from '@einvoicing/proto/organizations'
import type { Request } from 'express'
import type { BodyMemory } from './body-memory'
import { beginRequestSpan } from './request-span'

export interface Exchange {
  requestId: string
  /** Monotonic milliseconds. */
  startedAt: number
  /** The route's pattern: as a label it must not grow with the ids. */
  route: string
  /** Monotonic; for answers without an end, whose duration means nothing. */
  streamingSince: number | undefined
  /** See `clientNetwork`; from the proxy's header if the proxy is trusted. */
  network: string
  errorCode: string | undefined
  invoiceId: string | undefined
  span: Span | undefined
  caller: Caller
  /** For a document made in this request. */
  issuer: Issuer | undefined
  member: SignedIn | undefined
  /** Bytes read from the connection before the body. */
  bytesReadBefore: number
  bodyMemory: BodyMemory
  /** Monotonic milliseconds. */
  authorizedAt: number
  checks: Check[]
}

/** Throws if the request is not allowed. */
export type Check = () => unknown

export interface SignedIn {
  organizationId: string
  organizationName: string
  userId: string
  email: string
  role: MemberRole
  expiresAt: string
  secondFactorMissing?: boolean
  emailUnverified?: boolean | undefined
}

// On the response itself: keys of a WeakMap outlive several collections (decision 0125).
const exchangeKey = Symbol('exchange')
type WithExchange = ServerResponse & { [exchangeKey]?: Exchange }

/** For calls that find out who calls. */
export const unauthenticated: Caller = { service: 'gateway', actor: 'service:gateway' }
const safeRequestId = new RegExp(`^[A-Za-z0-9._-]{1,${limits.requestIdLength}}$`)

/** The client's own id if it is safe to log, else a new one. */
export function readRequestId({ headers }: IncomingMessage): string {
  const clientId = headers['x-request-id']
  return typeof clientId === 'string' && safeRequestId.test(clientId) ? clientId : randomUUID()
}

export function beginExchange(
  request: IncomingMessage,
  response: ServerResponse,
  bodyMemory: BodyMemory,
): Exchange {
  const now = performance.now()
  const exchange: Exchange = {
    requestId: readRequestId(request),
    startedAt: now,
    route: '-',
    streamingSince: undefined,
    network: clientNetwork(request.socket.remoteAddress ?? ''),
    errorCode: undefined,
    invoiceId: undefined,
    span: beginRequestSpan(request),
    caller: unauthenticated,
    issuer: undefined,
    member: undefined,
    bytesReadBefore: request.socket.bytesRead,
    bodyMemory,
    authorizedAt: now,
    checks: [],
  }
  ;(response as WithExchange)[exchangeKey] = exchange
  response.setHeader('X-Request-Id', exchange.requestId)
  return exchange
}

export function getExchange(response: ServerResponse): Exchange {
  const exchange = (response as WithExchange)[exchangeKey]
  if (!exchange) throw new Error('an answer was begun without its exchange')
  return exchange
}

export function getMember(response: ServerResponse): SignedIn {
  const { member } = getExchange(response)
  if (!member) throw new Error('no session on this request')
  return member
}

/** The check is repeated if the body takes long to arrive. */
export function authorize<T>(response: ServerResponse, check: () => Promise<T>): Promise<T> {
  getExchange(response).checks.push(check)
  return check()
}

/** While the body arrived, a key may have been revoked or a member removed. */
export async function authorizeAgain(response: ServerResponse): Promise<void> {
  const exchange = getExchange(response)
  const now = performance.now()
  if (now - exchange.authorizedAt <= deadlinesMs.authorization) return
  exchange.authorizedAt = now
  for (const check of exchange.checks) await check()
}

/** The organization, or the network of an unauthenticated client. */
export function readClientName(request: Request, response: ServerResponse): string {
  // A request that was rejected at once has no exchange.
  const organizationId = (response as WithExchange)[exchangeKey]?.caller.organizationId
  return organizationId ?? clientNetwork(request.ip ?? '')
}

/** Throws if the client has disconnected: the call would be wasted. */
export function createCall(response: ServerResponse): Call {
  if (response.destroyed) throw new ApiError('BAD_REQUEST', 'The client closed the connection.')
  const { caller, requestId, span } = getExchange(response)
  return { caller, requestId, span, deadline: Date.now() + deadlinesMs.rpc }
}
