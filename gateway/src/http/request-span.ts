// OpenTelemetry's HTTP conventions, without path, query, host and agent: they may hold a key or a
// name.

import type { IncomingMessage } from 'node:http'
import type { Caller } from '@einvoicing/rpc/caller'
import { beginTrace, markFailedWith, type Span } from '@einvoicing/runtime/trace'
import { monitoringPaths } from './monitoring-paths'

export const knownMethods = new Set(['GET', 'HEAD', 'POST', 'PUT', 'DELETE', 'OPTIONS', 'PATCH'])

export function beginRequestSpan({ method = '', url = '', headers }: IncomingMessage) {
  if (monitoringPaths.test(url)) return undefined
  const isKnown = knownMethods.has(method)
  return beginTrace(headers['traceparent'], {
    name: isKnown ? method : 'HTTP',
    kind: 'SERVER',
    attributes: { 'http.request.method': isKnown ? method : '_OTHER', 'url.scheme': 'http' },
  })
}

export interface Answered {
  requestId: string
  method: string
  route: string
  status: number
  caller: Caller
  invoiceId: string | undefined
}

export function endRequestSpan(span: Span, answered: Answered): void {
  const { requestId, method, route, status, caller, invoiceId } = answered
  if (route !== '-') {
    span.updateName(`${knownMethods.has(method) ? method : 'HTTP'} ${route}`)
    span.setAttribute('http.route', route)
  }
  span.setAttribute('http.response.status_code', status)
  span.setAttribute('einvoicing.request.id', requestId)
  if (invoiceId !== undefined) span.setAttribute('einvoicing.invoice.id', invoiceId)
  const { organizationId } = caller
  if (organizationId !== undefined) span.setAttribute('einvoicing.organization.id', organizationId)
  if (status >= 500) markFailedWith(span, String(status))
  span.end()
}
