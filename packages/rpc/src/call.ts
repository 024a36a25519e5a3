/**
 * Calls between services, with or without a wire.
 *
 * Handlers and clients have one shape, taken from the generated contract: the composition root
 * either joins them directly (`joinLocally`) or puts a real gRPC server and channel between them
 * (`rpc-server.ts`, `rpc-client.ts`).
 */

import type { Caller, ServiceName } from './caller'
import { within } from '@einvoicing/runtime/deadline'
import { noAnswer } from '@einvoicing/domain/api-error'
import { traceClientCall, traceServerCall, type RpcMethod } from './spans'
import type { Span } from '@einvoicing/runtime/trace'
import { checkMayCall } from './who-may-call'

/** What a call carries besides its request. */
export interface Call {
  caller: Caller
  /** Follows one request through every service's log. */
  requestId: string
  /** What the spans of this call hang below; absent where nothing is traced. */
  span?: Span | undefined
  /** When the caller stops waiting, in milliseconds since the epoch. */
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

/** A generated service definition (`InvoicesService` in `proto/gen/invoices.ts`). */
export type Contract = Record<string, UnaryMethod>

/** A service as its callers see it and as its handlers implement it: one function a method. */
export type Service<C extends Contract> = {
  [M in keyof C]: (
    request: ReturnType<C[M]['requestDeserialize']>,
    call: Call,
  ) => Promise<ReturnType<C[M]['responseDeserialize']>>
}

/** A handler where its messages' types do not matter: between the wire and the service. */
export type UntypedHandler = (request: unknown, call: Call) => Promise<unknown>

/**
 * The next call of a chain: made by `service`, for the same organization and actor, within
 * `withinMs` and the deadline inherited.
 */
export function nextCall(call: Call, service: ServiceName, withinMs: number): Call {
  return {
    caller: { ...call.caller, service },
    requestId: call.requestId,
    span: call.span,
    deadline: Math.min(call.deadline, Date.now() + withinMs),
  }
}

/**
 * A service without a wire: the handlers themselves, with callers admitted and the deadline kept as
 * the wire would.
 */
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
      return traceClientCall(called, call, (asked) => {
        const answer = traceServerCall(called, asked, (inner) => handle(request, inner))
        return withinDeadline(name, answer, asked.deadline)
      })
    }
    return [method, join]
  })
  return Object.fromEntries(joined) as Service<C>
}

/** As the contract has it on the wire. */
function capitalized(name: string): string {
  return `${name.charAt(0).toUpperCase()}${name.slice(1)}`
}

function withinDeadline<T>(name: ServiceName, answer: Promise<T>, deadline: number): Promise<T> {
  return within(deadline - Date.now(), answer, () =>
    noAnswer('The service', new Error(`${name} did not answer in time`)),
  )
}
