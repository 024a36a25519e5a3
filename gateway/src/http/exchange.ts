/**
 * What the gateway knows of one request while it is being answered: its id, its route, on whose
 * behalf it acts.
 */

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
import type { BodyMemory } from './body/body-memory'
import { beginRequestSpan } from './request-span'

export interface Exchange {
  requestId: string
  /** Monotonic milliseconds. */
  startedAt: number
  /** The pattern that matched, never the path: a label must not grow with the ids. */
  route: string
  /**
   * Monotonic milliseconds: since when the answer goes on without an end of its own, which is then
   * no measure of us. Absent for any other answer.
   */
  streamingSince: number | undefined
  /** From where it comes, see `clientNetwork`; by the proxy's word where one is trusted. */
  network: string
  /** The code of the error it was answered, if any. */
  errorCode: string | undefined
  /** The invoice it is about, once that is known. */
  invoiceId: string | undefined
  /** What the spans of this request hang below; absent where nothing is traced. */
  span: Span | undefined
  caller: Caller
  /** Whose mentions a document made in this request bears; behind an API key or a session. */
  issuer: Issuer | undefined
  /** Only behind a session. */
  member: SignedIn | undefined
  /** Bytes that had come on its connection when its headers had. */
  bytesReadBefore: number
  /** What the bodies of all requests share. */
  bodyMemory: BodyMemory
  /** Who may do this was last checked then, monotonic milliseconds. */
  authorizedAt: number
  /** What was checked, in the order in which it was. */
  checks: Check[]
}

/** Throws for a request that may not be carried out. */
export type Check = () => unknown

/** Who sits at the dashboard, as it stands now. */
export interface SignedIn {
  organizationId: string
  organizationName: string
  userId: string
  email: string
  role: MemberRole
  /** When the session ends by its age, ISO 8601. */
  expiresAt: string
}

const exchanges = new WeakMap<ServerResponse, Exchange>()

const unauthenticated: Caller = { service: 'gateway', actor: 'service:gateway' }
const saneRequestId = new RegExp(`^[A-Za-z0-9._-]{1,${limits.requestIdLength}}$`)

/** The client's own id where that is fit for a log, else a new one. */
export function readRequestId({ headers }: IncomingMessage): string {
  const asked = headers['x-request-id']
  return typeof asked === 'string' && saneRequestId.test(asked) ? asked : randomUUID()
}

/**
 * Names the request, by the client's own id where that is fit for a log, and says so in the answer.
 */
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
  exchanges.set(response, exchange)
  response.setHeader('X-Request-Id', exchange.requestId)
  return exchange
}

export function getExchange(response: ServerResponse): Exchange {
  const exchange = exchanges.get(response)
  if (!exchange) throw new Error('an answer was begun without its exchange')
  return exchange
}

/** Anyone who answers behind a session has one. */
export function getMember(response: ServerResponse): SignedIn {
  const { member } = getExchange(response)
  if (!member) throw new Error('a member was asked for without a session')
  return member
}

/** Carries out a check that is carried out again should the body be long in coming. */
export function authorize<T>(response: ServerResponse, check: () => Promise<T>): Promise<T> {
  getExchange(response).checks.push(check)
  return check()
}

/**
 * What was allowed when the headers came may be so no more when the body has: a key revoked, a
 * member removed. To be called before a request is carried out.
 */
export async function authorizeAgain(response: ServerResponse): Promise<void> {
  const exchange = getExchange(response)
  const now = performance.now()
  if (now - exchange.authorizedAt <= deadlinesMs.authorization) return
  exchange.authorizedAt = now
  for (const check of exchange.checks) await check()
}

/** Whose use of the gateway is counted together: an organization, or a stranger's network. */
export function readClientName(request: Request, response: ServerResponse): string {
  const { organizationId } = getExchange(response).caller
  return organizationId ?? clientNetwork(request.ip ?? '')
}

/**
 * A call to another service for this request, in the caller's name. Throws where the client has
 * left: no one waits for what it would cost.
 */
export function createCall(response: ServerResponse): Call {
  if (response.destroyed) throw new ApiError('BAD_REQUEST', 'The client has left.')
  const { caller, requestId, span } = getExchange(response)
  return { caller, requestId, span, deadline: Date.now() + deadlinesMs.rpc }
}
