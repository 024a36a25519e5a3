/**
 * Spans of calls between services, the same at both ends with a wire and without (OpenTelemetry's
 * semantic conventions for RPC).
 */

import { status as grpcStatus } from '@grpc/grpc-js'
import type { Caller } from './caller'
import { toStatusCode } from './status'
import { beginSpan, endWith, toErrorType, markFailed, type Span } from '@einvoicing/runtime/trace'

export interface RpcMethod {
  system: 'grpc' | 'in-process'
  /** `einvoicing.Invoices/CreateInvoice`. */
  name: string
}

/** What of a call its spans need. */
interface Traced {
  caller: Caller
  span?: Span | undefined
}

type Ask<C, T> = (call: C) => Promise<T>

export function asClient<C extends Traced, T>(
  method: RpcMethod,
  call: C,
  ask: Ask<C, T>,
): Promise<T> {
  const span = beginSpan(call.span, given(method, 'CLIENT'))
  return span ? endWith(span, () => ask({ ...call, span }), tellClientFailure) : ask(call)
}

export function asServer<C extends Traced, T>(
  method: RpcMethod,
  call: C,
  answer: Ask<C, T>,
): Promise<T> {
  const span = beginSpan(call.span, given(method, 'SERVER'))
  if (!span) return answer(call)
  span.setAttribute('einvoicing.caller', call.caller.service)
  const { organizationId } = call.caller
  if (organizationId !== undefined) span.setAttribute('einvoicing.organization.id', organizationId)
  return endWith(span, () => answer({ ...call, span }), tellServerFailure)
}

function given({ system, name }: RpcMethod, kind: 'CLIENT' | 'SERVER') {
  const attributes = {
    'rpc.system.name': system,
    'rpc.method': name,
    'rpc.response.status_code': 'OK',
  }
  return { name, kind, attributes }
}

function tellClientFailure(span: Span, error: unknown): void {
  span.setAttribute('rpc.response.status_code', statusNameOf(error))
  markFailed(span, error)
}

// Of a server only what it failed at is an error: refusals that the caller can mend are answers.
const serverFaults = ['DEADLINE_EXCEEDED', 'INTERNAL', 'UNAVAILABLE', 'UNIMPLEMENTED', 'UNKNOWN']

function tellServerFailure(span: Span, error: unknown): void {
  const name = statusNameOf(error)
  span.setAttribute('rpc.response.status_code', name)
  if (serverFaults.includes(name)) markFailed(span, error)
  else span.setAttribute('error.type', toErrorType(error))
}

function statusNameOf(error: unknown): string {
  return grpcStatus[toStatusCode(error)]
}
