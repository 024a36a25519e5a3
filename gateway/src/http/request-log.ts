// One log line and one measurement for each request. Never a key, never a body.

import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Log } from '@einvoicing/runtime/log'
import { metrics } from '@einvoicing/runtime/metrics'
import { toLogIds } from '@einvoicing/runtime/trace'
import { Histogram } from 'prom-client'
import { getExchange } from './exchange'
import { endRequestSpan, knownMethods } from './request-span'

const requestDuration = new Histogram({
  name: 'http_request_duration_seconds',
  help: 'Requests by route, method and class of status; its count is the rate.',
  labelNames: ['method', 'route', 'status'] as const,
  buckets: [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
  registers: [metrics],
})

// As in nginx: the client closed the connection before the answer.
const clientLeft = 499

export function logWhenDone(request: IncomingMessage, response: ServerResponse, log: Log): void {
  response.once('close', () => {
    const exchange = getExchange(response)
    const { route, startedAt, streamingSince, invoiceId, span, caller } = exchange
    const { network, errorCode: code, member } = exchange
    const durationMs = performance.now() - startedAt
    const isAnswered = response.writableFinished || streamingSince !== undefined
    const status = isAnswered ? response.statusCode : clientLeft
    const method = request.method ?? '-'
    requestDuration.observe(
      {
        method: knownMethods.has(method) ? method : 'other',
        route,
        status: `${Math.floor(status / 100)}xx`,
      },
      (streamingSince === undefined ? durationMs : streamingSince - startedAt) / 1000,
    )
    log.info(
      Object.assign(toLogIds(exchange), {
        method,
        route,
        status,
        code,
        durationMs: Math.round(durationMs * 100) / 100,
        network,
        organizationId: caller.organizationId,
        apiKeyId: /^api-key:(.+)/.exec(caller.actor)?.[1],
        userId: member?.userId,
        invoiceId,
      }),
      'request',
    )
    if (span) endRequestSpan(span, Object.assign({}, exchange, { method, status }))
  })
}
