// Spans are passed explicitly: ambient context costs on every call. The SDK is loaded only when
// used.

import {
  ROOT_CONTEXT,
  SpanKind,
  SpanStatusCode,
  isSpanContextValid,
  trace,
  type Attributes,
  type Span,
  type Tracer,
} from '@opentelemetry/api'
import type { Log } from './log'
import { ApiError } from '@einvoicing/domain/api-error'
import type { Closable } from './serve'
import type { TraceConfig } from './trace-config'

export type { Attributes, Span }

export interface SpanOptions {
  name: string
  kind?: keyof typeof SpanKind
  /** Ids, codes and counts; never a key, a body, or a text that a user wrote. */
  attributes?: Attributes
}

let tracer: Tracer | undefined

export async function openTracing(
  config: TraceConfig | undefined,
  { service, log }: { service: string; log: Log },
): Promise<Closable> {
  if (!config) return { close: () => undefined }
  const { openTraceExport } = await import('@einvoicing/runtime/trace-export')
  const opened = await openTraceExport(config, { service, log })
  tracer = opened.tracer
  return {
    close() {
      tracer = undefined
      return opened.close()
    },
  }
}

export function beginTrace(traceparent: unknown, options: SpanOptions): Span | undefined {
  return tracer && start(tracer, readTraceparent(traceparent), options)
}

/** `undefined` when tracing is off or there is no parent. The caller calls `end`. */
export function beginSpan(parent: Span | undefined, options: SpanOptions): Span | undefined {
  return parent && tracer && start(tracer, parent, options)
}

export function inSpan<T>(
  parent: Span | undefined,
  options: SpanOptions,
  work: (span: Span | undefined) => T,
): T {
  const span = beginSpan(parent, options)
  return span ? endWith(span, () => work(span)) : work(parent)
}

export function endWith<T>(span: Span, work: () => T, onFailure = markFailed): T {
  const onError = (error: unknown): never => {
    onFailure(span, error)
    span.end()
    throw error
  }
  try {
    const result = work()
    if (result instanceof Promise) {
      const ended = result.then((value: unknown) => {
        span.end()
        return value
      }, onError)
      return ended as T
    }
    span.end()
    return result
  } catch (error) {
    return onError(error)
  }
}

/** By code or class: messages may quote a user's text. */
export function markFailed(span: Span, error: unknown): void {
  markFailedWith(span, toErrorType(error))
}

export function markFailedWith(span: Span, errorType: string): void {
  span.setAttribute('error.type', errorType)
  span.setStatus({ code: SpanStatusCode.ERROR })
}

export function toErrorType(error: unknown): string {
  if (error instanceof ApiError) return error.code
  return error instanceof Error ? error.name : '_OTHER'
}

function start(by: Tracer, parent: Span | undefined, options: SpanOptions): Span {
  const { name, kind = 'INTERNAL', attributes = {} } = options
  const context = parent ? trace.setSpan(ROOT_CONTEXT, parent) : ROOT_CONTEXT
  return by.startSpan(name, { kind: SpanKind[kind], attributes }, context)
}

// W3C Trace Context, section 3.2: later versions may append fields.
const w3c = /^(?!ff)([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/

export function readTraceparent(traceparent: unknown): Span | undefined {
  if (!tracer || typeof traceparent !== 'string') return undefined
  const [, version, traceId = '', spanId = '', flags = '', more] = w3c.exec(traceparent) ?? []
  const context = { traceId, spanId, traceFlags: parseInt(flags, 16), isRemote: true }
  const isValid = isSpanContextValid(context) && (version !== '00' || more === undefined)
  return isValid ? trace.wrapSpanContext(context) : undefined
}

export function toTraceparent(span: Span | undefined): string | undefined {
  if (!span) return undefined
  const { traceId, spanId, traceFlags } = span.spanContext()
  return `00-${traceId}-${spanId}-${traceFlags.toString(16).padStart(2, '0')}`
}

export interface TracedWork {
  requestId?: string | undefined
  span?: Span | undefined
}

export function toLogIds({ requestId, span }: TracedWork): Record<string, string | undefined> {
  if (!span) return { requestId }
  const { traceId, spanId } = span.spanContext()
  return { requestId, traceId, spanId }
}
