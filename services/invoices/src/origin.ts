import type { Call } from '@einvoicing/rpc/call'
import { readTraceparent, toTraceparent, type TracedWork } from '@einvoicing/runtime/trace'
import type { Invoice, Origin } from '@einvoicing/proto/invoice'

export function toOrigin({ requestId, span }: Call): Origin {
  return { requestId, traceparent: toTraceparent(span) }
}

export function followedFrom({ origin }: Pick<Invoice, 'origin'>): TracedWork {
  return { requestId: origin?.requestId, span: readTraceparent(origin?.traceparent) }
}
