// Handlers and clients have one shape: joined directly (`joinLocally`) or by gRPC.

import type { Caller } from './caller'
import type { ServiceName } from './service-name'
import { within } from '@einvoicing/runtime/deadline'
import { noAnswer } from '@einvoicing/domain/api-error'
import { traceClientCall, traceServerCall, type RpcMethod } from './spans'
import type { Span } from '@einvoicing/runtime/trace'
import { checkMayCall } from './who-may-call'

export interface Call {
  caller: Caller
  requestId: string
  span?: Span | undefined
  /** In milliseconds since the epoch. */
  deadline: number
}

interface UnaryMethod {
  path: string
  requestStream: false
  responseStream: false
  // The generator types each method by its own messages; these four carry them.
  requestSerialize: (value: never) => Buffer
  requestDeserialize: (bytes: Buffer) => unknown
  responseSerialize: (value: never) => Buffer
  responseDeserialize: (bytes: Buffer) => unknown
}

export type Contract = Record<string, UnaryMethod>

export type Service<C extends Contract> = {
  [M in keyof C]: (
    request: ReturnType<C[M]['requestDeserialize']>,
    call: Call,
  ) => Promise<ReturnType<C[M]['responseDeserialize']>>
}

export type UntypedHandler = (request: unknown, call: Call) => Promise<unknown>

/** Same organization and actor, within `withinMs` and the inherited deadline. */
export function nextCall(call: Call, service: ServiceName, withinMs: number): Call {
  return {
    caller: Object.assign({}, call.caller, { service }),
    requestId: call.requestId,
    span: call.span,
    deadline: Math.min(call.deadline, Date.now() + withinMs),
  }
}

/** In one process, with the same checks of caller and deadline as over gRPC. */
export function joinLocally<C extends Contract>(
  name: ServiceName,
  handlers: Service<C>,
): Service<C> {
  const untyped = handlers as unknown as Record<string, UntypedHandler>
  const joined = Object.entries(untyped).map(([method, handle]) => {
    const called: RpcMethod = {
      system: 'in-process',
      name: `einvoicing.${capitalized(name)}/${capitalized(method)}`,
    }
    const join: UntypedHandler = async (request, call) => {
      checkMayCall(call.caller, name, method)
      return traceClientCall(called, call, (tracedCall) => {
        const answer = traceServerCall(called, tracedCall, (inner) => handle(request, inner))
        return withinDeadline(name, answer, tracedCall.deadline)
      })
    }
    return [method, join]
  })
  return Object.fromEntries(joined) as Service<C>
}

function capitalized(name: string): string {
  return `${name.charAt(0).toUpperCase()}${name.slice(1)}`
}

function withinDeadline<T>(name: ServiceName, answer: Promise<T>, deadline: number): Promise<T> {
  return within(deadline - Date.now(), answer, () =>
    noAnswer('The service', new Error(`${name} did not answer in time`)),
  )
}
