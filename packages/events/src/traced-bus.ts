/**
 * A bus whose facts carry a trace on: a span where one is published, and one each time it is
 * delivered, both where its `traceparent` says it happened (OpenTelemetry's semantic conventions for
 * messaging).
 *
 * A fact never changes on its way: published again from the store it still is in its own trace.
 */

import type { InvoiceEvent } from './event'
import { inSpan, readTraceparent, type SpanOptions } from '@einvoicing/runtime/trace'
import type { Bus } from './bus'

export function withTraces(bus: Bus): Bus {
  return {
    name: bus.name,
    publish(fact) {
      const parent = readTraceparent(fact.traceparent)
      if (!parent) return bus.publish(fact)
      return inSpan(parent, spanOf(bus, fact, 'publish'), () => bus.publish(fact))
    },
    subscribe: (type, options, onFact) =>
      bus.subscribe(type, options, (fact, delivery) => {
        const parent = readTraceparent(fact.traceparent)
        if (!parent) return onFact(fact, delivery)
        const given = spanOf(bus, fact, 'process')
        given.attributes['messaging.consumer.group.name'] = options.name
        given.attributes['einvoicing.delivery.attempt'] = delivery.attempt
        return inSpan(parent, given, (span) => onFact(fact, { ...delivery, span }))
      }),
    onLoss: (rebuild) => bus.onLoss(rebuild),
    check: () => bus.check(),
    close: () => bus.close(),
  }
}

function spanOf({ name }: Bus, fact: InvoiceEvent, operation: 'publish' | 'process') {
  return {
    name: `${operation} ${fact.type}`,
    kind: operation === 'publish' ? 'PRODUCER' : 'CONSUMER',
    attributes: {
      'messaging.system': name === 'bus' ? 'in-process' : name,
      'messaging.destination.name': fact.type,
      'messaging.operation.name': operation,
      'messaging.operation.type': operation === 'publish' ? 'send' : 'process',
      'messaging.message.id': fact.id,
      'einvoicing.invoice.id': fact.subject,
      'einvoicing.organization.id': fact.organizationid,
    } as Record<string, string | number>,
  } satisfies SpanOptions
}
