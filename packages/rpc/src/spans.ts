// OpenTelemetry's conventions for RPC, at both ends.

import { status as grpcStatus } from '@grpc/grpc-js'
import type { Caller } from './caller'
import { toStatusCode } from './status'
import { beginSpan, endWith, toErrorType, markFailed, type Span } from '@einvoicing/runtime/trace'

export interface RpcMethod {
  system: 'grpc' | 'in-process'
  name: string
}

interface Traced {
  caller: Caller
  span?: Span | undefined
}

type Work<C, T> = (call: C) => Promise<T>

export function traceClientCall<C extends Traced, T>(
  method: RpcMethod,
  call: C,
  send: Work<C, T>,
): Promise<T> {
  const span = beginSpan(call.span, toSpanOptions(method, 'CLIENT'))
  return span ? endWith(span, () => send({ ...call, span }), markClientFailure) : send(call)
}

export function traceServerCall<C extends Traced, T>(
  method: RpcMethod,
  call: C,
  answer: Work<C, T>,
): Promise<T> {
  const span = beginSpan(call.span, toSpanOptions(method, 'SERVER'))
  if (!span) return answer(call)
  span.setAttribute('einvoicing.caller', call.caller.service)
  const { organizationId } = call.caller
  if (organizationId !== undefined) span.setAttribute('einvoicing.organization.id', organizationId)
  return endWith(span, () => answer({ ...call, span }), markServerFailure)
}

function toSpanOptions({ system, name }: RpcMethod, kind: 'CLIENT' | 'SERVER') {
  const attributes = {
    'rpc.system.name': system,
    'rpc.method': name,
    'rpc.response.status_code': 'OK',
  }
  return { name, kind, attributes }
}

function markClientFailure(span: Span, error: unknown): void {
  span.setAttribute('rpc.response.status_code', toStatusName(error))
  markFailed(span, error)
}

// For a server only its own failures are errors.
const serverErrors = ['DEADLINE_EXCEEDED', 'INTERNAL', 'UNAVAILABLE', 'UNIMPLEMENTED', 'UNKNOWN']

function markServerFailure(span: Span, error: unknown): void {
  const name = toStatusName(error)
  span.setAttribute('rpc.response.status_code', name)
  if (serverErrors.includes(name)) markFailed(span, error)
  else span.setAttribute('error.type', toErrorType(error))
}

function toStatusName(error: unknown): string {
  return grpcStatus[toStatusCode(error)]
}
