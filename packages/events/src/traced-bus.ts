// By OpenTelemetry's conventions for messaging; an event published again stays in its first trace.

import type { InvoiceEvent } from './event'
import { inSpan, readTraceparent, type SpanOptions } from '@einvoicing/runtime/trace'
import type { Bus } from './bus'

export function withTraces(bus: Bus): Bus {
  return {
    name: bus.name,
    publish(event) {
      const parent = readTraceparent(event.traceparent)
      if (!parent) return bus.publish(event)
      return inSpan(parent, toSpanOptions(bus, event, 'publish'), () => bus.publish(event))
    },
    subscribe: (type, options, onEvent) =>
      bus.subscribe(type, options, (event, delivery) => {
        const parent = readTraceparent(event.traceparent)
        if (!parent) return onEvent(event, delivery)
        const span = toSpanOptions(bus, event, 'process')
        span.attributes['messaging.consumer.group.name'] = options.name
        span.attributes['einvoicing.delivery.attempt'] = delivery.attempt
        return inSpan(parent, span, (span) => onEvent(event, { ...delivery, span }))
      }),
    onLoss: (rebuild) => bus.onLoss(rebuild),
    check: () => bus.check(),
    close: () => bus.close(),
  }
}

function toSpanOptions({ name }: Bus, event: InvoiceEvent, operation: 'publish' | 'process') {
  return {
    name: `${operation} ${event.type}`,
    kind: operation === 'publish' ? 'PRODUCER' : 'CONSUMER',
    attributes: {
      'messaging.system': name === 'bus' ? 'in-process' : name,
      'messaging.destination.name': event.type,
      'messaging.operation.name': operation,
      'messaging.operation.type': operation === 'publish' ? 'send' : 'process',
      'messaging.message.id': event.id,
      'einvoicing.invoice.id': event.subject,
      'einvoicing.organization.id': event.organizationid,
    } as Record<string, string | number>,
  } satisfies SpanOptions
}
