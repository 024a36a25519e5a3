/**
 * A collector of traces: takes OTLP over HTTP in JSON, keeps every span, and can be unavailable,
 * slow or broken.
 */

import { once } from 'node:events'
import http, { type IncomingMessage, type ServerResponse } from 'node:http'
import { eventually } from '@einvoicing/servers/eventually'
import { findFreePort } from '@einvoicing/servers/ports'

export interface CollectedSpan {
  traceId: string
  spanId: string
  /** Empty where a trace begins. */
  parentSpanId: string
  name: string
  kind: 'INTERNAL' | 'SERVER' | 'CLIENT' | 'PRODUCER' | 'CONSUMER'
  attributes: Record<string, unknown>
  resource: Record<string, unknown>
  isError: boolean
}

export type Behaviour = 'takes' | 'hangs' | { status: number }

export interface Collector {
  url: string
  spans: CollectedSpan[]
  /** Every export as it came: headers and body. */
  exports: { headers: http.IncomingHttpHeaders; body: string }[]
  behave(behaviour: Behaviour): void
  /** Waits until spans satisfy; fails with their tree. */
  until(satisfied: (spans: CollectedSpan[]) => boolean): Promise<CollectedSpan[]>
  /** No one listens afterwards, until `open` again on the same port. */
  close(): Promise<void>
  open(): Promise<void>
}

// A test waits for the decision and the archive.
const withinMs = 80_000

export async function startCollector(): Promise<Collector> {
  const spans: CollectedSpan[] = []
  const exports: Collector['exports'] = []
  let behaviour: Behaviour = 'takes'
  const answer = async (request: IncomingMessage, response: ServerResponse) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const body = Buffer.concat(chunks).toString()
    if (behaviour === 'hangs') return
    if (behaviour !== 'takes') {
      response.writeHead(behaviour.status).end()
      return
    }
    if (request.url !== '/v1/traces') throw new Error(`asked at ${request.url}`)
    exports.push({ headers: request.headers, body })
    spans.push(...spansIn(JSON.parse(body)))
    response.writeHead(200, { 'Content-Type': 'application/json' }).end('{}')
  }
  const port = await findFreePort()
  let server: http.Server
  const open = async () => {
    server = http.createServer((request, response) => void answer(request, response))
    server.listen(port, '127.0.0.1')
    await once(server, 'listening')
  }
  await open()
  return {
    url: `http://127.0.0.1:${port}`,
    spans,
    exports,
    behave: (next) => void (behaviour = next),
    until: (satisfied) =>
      eventually(async () => {
        if (satisfied(spans)) return spans
        throw new Error(`collected only:\n${renderTree(spans)}`)
      }, withinMs),
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
    open,
  }
}

/** One line a span, indented below its parent, as a person reads a trace. */
export function renderTree(spans: readonly CollectedSpan[]): string {
  const ids = new Set(spans.map(({ spanId }) => spanId))
  const below = (parent: string | undefined, depth: number): string[] =>
    spans
      .filter(({ parentSpanId }) =>
        parent === undefined ? !ids.has(parentSpanId) : parentSpanId === parent,
      )
      .flatMap((span) => [
        `${'  '.repeat(depth)}${span.kind} ${span.name}${span.isError ? ' (error)' : ''}`,
        ...below(span.spanId, depth + 1),
      ])
  return below(undefined, 0).join('\n')
}

const kinds = ['INTERNAL', 'INTERNAL', 'SERVER', 'CLIENT', 'PRODUCER', 'CONSUMER'] as const
const errorStatus = 2

/** opentelemetry-proto, trace/v1/trace.proto, in its JSON form. */
function spansIn(body: any): CollectedSpan[] {
  return body.resourceSpans.flatMap(({ resource, scopeSpans }: any) =>
    scopeSpans.flatMap((scope: any) =>
      scope.spans.map((span: any): CollectedSpan => {
        const { traceId, spanId, parentSpanId = '', name } = span
        return {
          traceId,
          spanId,
          parentSpanId,
          name,
          kind: kinds[span.kind as number]!,
          attributes: attributesIn(span.attributes),
          resource: attributesIn(resource.attributes),
          isError: span.status?.code === errorStatus,
        }
      }),
    ),
  )
}

function attributesIn(attributes: any[] = []): Record<string, unknown> {
  return Object.fromEntries(
    attributes.map(({ key, value }) => [key, Object.values(value as object)[0]]),
  )
}
