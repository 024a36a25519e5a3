/**
 * What may stand between a client and the service: a front on loopback that forwards to the real
 * one, and does to each request what was planned for it.
 */

import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { gzipSync } from 'node:zlib'

export type Failure =
  /** Forwarded as it should be. */
  | 'none'
  /** The connection ends before the request went anywhere. */
  | 'cut before'
  /** The request is carried out, the answer lost. */
  | 'cut after'
  /** Half of the answer, then the connection ends. */
  | 'cut midway'
  /** Half of the answer as if it were all. */
  | 'truncated'
  /** One byte of the answer is another. */
  | 'damaged'
  /** Carried out, then a page of the front's own, as if all were well. */
  | 'page after'
  /** Compressed: Apache and Caddy add a suffix to the tag, others remove it. */
  | { gzip: 'suffixed' | 'untagged'; also?: 'none' | 'damaged' | 'cut midway' | 'page after' }
  | { status: number; headers?: Record<string, string>; body?: string }
  | { slowMs: number }
  /** Forwarded late, however long ago the client has gone. */
  | { heldMs: number }

export interface Seen {
  method: string
  path: string
  headers: IncomingMessage['headers']
  at: number
}

export interface FaultyFront {
  baseUrl: string
  /** What was asked since the last plan, in order. */
  seen: Seen[]
  /** For the next requests, one each; then all is forwarded. */
  plan(...problems: Failure[]): void
  /** For every request from now on. */
  planAlways(problem: Failure): void
  close(): Promise<void>
}

export const page = '<!doctype html><html><title>We will be back soon</title></html>'

export async function openFaultyFront(target: string): Promise<FaultyFront> {
  let planned: Failure[] = []
  let always: Failure = 'none'
  const seen: Seen[] = []
  const plan = (problems: Failure[], rest: Failure) => {
    planned = problems
    always = rest
    seen.length = 0
  }
  const server = createServer((request, response) => {
    const { method = '', url: path = '', headers } = request
    seen.push({ method, path, headers, at: Date.now() })
    void serve(target, { request, response }, planned.shift() ?? always).catch(() =>
      response.destroy(),
    )
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    seen,
    plan: (...problems) => plan(problems, 'none'),
    planAlways: (problem) => plan([], problem),
    close: () => {
      server.closeAllConnections()
      return new Promise((resolve) => server.close(() => resolve()))
    },
  }
}

interface Exchange {
  request: IncomingMessage
  response: ServerResponse
}

async function serve(target: string, exchange: Exchange, problem: Failure): Promise<void> {
  const { request, response } = exchange
  const body = await text(request)
  if (problem === 'cut before') {
    response.destroy()
    return
  }
  if (typeof problem === 'object' && 'status' in problem) {
    const html = { 'Content-Type': 'text/html' }
    response.writeHead(problem.status, { ...html, ...problem.headers }).end(problem.body ?? page)
    return
  }
  if (typeof problem === 'object' && 'heldMs' in problem) await pause(problem.heldMs)
  const { host: _, connection: __, ...headers } = request.headers
  const answer = await fetch(`${target}${request.url ?? ''}`, {
    method: request.method ?? 'GET',
    headers: headers as Record<string, string>,
    ...(body !== '' && { body }),
  })
  const bytes = Buffer.from(await answer.arrayBuffer())
  if (typeof problem === 'object' && 'slowMs' in problem) await pause(problem.slowMs)
  pass(response, { answer, bytes, problem })
}

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

interface Passing {
  answer: Response
  bytes: Buffer
  problem: Failure
}

function pass(response: ServerResponse, { answer, bytes, problem }: Passing): void {
  if (typeof problem === 'object' && 'gzip' in problem) {
    compress(response, { answer, bytes, problem })
    return
  }
  const head = Object.fromEntries(
    [...answer.headers].filter(([name]) => name !== 'connection' && name !== 'keep-alive'),
  )
  const half = bytes.subarray(0, bytes.length >> 1)
  switch (problem) {
    case 'cut after':
      response.destroy()
      return
    case 'cut midway':
      response.writeHead(answer.status, head)
      response.write(half, () => response.destroy())
      return
    case 'truncated':
      response.writeHead(answer.status, { ...head, 'content-length': half.length }).end(half)
      return
    case 'damaged':
      bytes[bytes.length >> 1]! ^= 1
      response.writeHead(answer.status, head).end(bytes)
      return
    case 'page after':
      response.writeHead(200, { 'content-type': 'text/html' }).end(page)
      return
    default:
      response.writeHead(answer.status, head).end(bytes)
  }
}

function compress(
  response: ServerResponse,
  { answer, bytes, problem }: Passing & { problem: { gzip: string; also?: string } },
): void {
  const { gzip, also = 'none' } = problem
  const tag = answer.headers.get('etag')?.replace(/"$/, '-gzip"')
  const disposition = answer.headers.get('content-disposition')
  response.writeHead(answer.status, {
    'content-encoding': 'gzip',
    ...(gzip === 'suffixed' && tag !== undefined && { etag: tag }),
    ...(also !== 'page after' && disposition !== null && { 'content-disposition': disposition }),
  })
  if (also === 'damaged') bytes[bytes.length >> 1]! ^= 1
  const compressed = gzipSync(also === 'page after' ? page : bytes)
  if (also === 'cut midway') {
    const half = compressed.subarray(0, compressed.length >> 1)
    response.write(half, () => response.destroy())
  } else response.end(compressed)
}
