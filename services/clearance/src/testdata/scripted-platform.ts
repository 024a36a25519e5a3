/**
 * A counterparty for tests: the platform's protocol over a real socket, with every error on
 * request. It keeps what a platform keeps, so that a test can prove what was submitted, and how
 * often.
 */

import { createHash, randomUUID } from 'node:crypto'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface PlatformRequest {
  /**
   * The invoice's id, by whichever way the request names the submission; `undefined` for totals.
   */
  invoiceId: string | undefined
  /** What it asks: to take, to find by key, to read by id, or totals. */
  asks: 'submit' | 'find' | 'read' | 'totals'
  path: string
  /** When it had arrived, by `performance.now()`. */
  atMs: number
}

/** `before`: nothing was done. `after`: done, and only the answer is wrong. */
export type Failure =
  | { strikes: 'before' | 'after'; answer: 'cut' | 'silence' | 'drip' }
  | { strikes: 'before' | 'after'; answer: RawAnswer }

export interface RawAnswer {
  status: number
  body: string
  headers?: Record<string, string>
}

export interface Kept {
  submissionId: string
  invoiceId: string
  xml: string
  receivedAt: string
  reads: number
}

export type Decision =
  { status: 'PROCESSING' } | { status: 'ACCEPTED' | 'REJECTED'; decidedAt: string }

export interface ScriptedPlatform {
  url: string
  requests: PlatformRequest[]
  /** By invoice id. */
  kept: Map<string, Kept>
  /** Decides the fate of each request. */
  failWith: (request: PlatformRequest) => Failure | undefined
  /** Decides what a read shows. */
  decide: (kept: Kept) => Decision
  close(): Promise<void>
}

export const cutBefore: Failure = { strikes: 'before', answer: 'cut' }
export const cutAfter: Failure = { strikes: 'after', answer: 'cut' }
export const html: RawAnswer = {
  status: 200,
  body: '<html><body>Maintenance</body></html>',
  headers: { 'content-type': 'text/html' },
}

export const answerWith = (
  status: number,
  body: object = {},
  headers: Record<string, string> = {},
): Failure => ({
  strikes: 'before',
  answer: { status, body: JSON.stringify(body), headers },
})

/** The error strikes the first request of its kind, and no other. */
export function strikeOnce(
  platform: ScriptedPlatform,
  asks: PlatformRequest['asks'],
  problem: Failure,
): void {
  let struck = false
  platform.failWith = (request) => {
    if (struck || request.asks !== asks) return undefined
    struck = true
    return problem
  }
}

/** Shows PROCESSING on the first read, then the decision. */
export const acceptOnSecondRead = ({ reads }: Kept): Decision =>
  reads < 2
    ? { status: 'PROCESSING' }
    : { status: 'ACCEPTED', decidedAt: '2026-03-04T05:06:07.890Z' }

export async function openScriptedPlatform(): Promise<ScriptedPlatform> {
  const platform: ScriptedPlatform = {
    url: '',
    requests: [],
    kept: new Map(),
    failWith: () => undefined,
    decide: acceptOnSecondRead,
    close: () => closeServer(server),
  }
  const server = createServer((request, response) => void exchange(platform, request, response))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  platform.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return platform
}

function closeServer(server: Server): Promise<void> {
  server.closeAllConnections()
  return new Promise((resolve) => server.close(() => resolve()))
}

async function exchange(
  platform: ScriptedPlatform,
  incoming: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const chunks: Buffer[] = []
  for await (const chunk of incoming) chunks.push(chunk as Buffer)
  const request = readRequest(platform, incoming)
  platform.requests.push(request)
  const problem = platform.failWith(request)
  const xml = Buffer.concat(chunks).toString()
  const answer = problem?.strikes === 'before' ? undefined : act(platform, request, xml)
  send(response, problem?.answer ?? answer)
}

function readRequest(platform: ScriptedPlatform, incoming: IncomingMessage): PlatformRequest {
  const path = incoming.url ?? ''
  const { pathname, searchParams } = new URL(path, platform.url)
  const arrived = { path, atMs: performance.now() }
  if (incoming.method === 'POST') {
    return { asks: 'submit', invoiceId: String(incoming.headers['idempotency-key']), ...arrived }
  }
  const key = searchParams.get('idempotencyKey') ?? undefined
  if (key !== undefined) return { asks: 'find', invoiceId: key, ...arrived }
  const id = /\/v1\/submissions\/(.+)$/.exec(pathname)?.[1]
  if (id === undefined) return { asks: 'totals', invoiceId: undefined, ...arrived }
  const kept = [...platform.kept.values()].find(({ submissionId }) => submissionId === id)
  return { asks: 'read', invoiceId: kept?.invoiceId, ...arrived }
}

function act(platform: ScriptedPlatform, request: PlatformRequest, xml: string): RawAnswer {
  if (request.asks === 'totals') return json(200, { total: platform.kept.size })
  if (request.asks === 'submit') return take(platform, request.invoiceId ?? '', xml)
  const kept = platform.kept.get(request.invoiceId ?? '')
  if (!kept) return json(404, { code: 'SUBMISSION_NOT_FOUND', message: 'No such submission.' })
  kept.reads += 1
  return json(200, present(kept, platform.decide(kept)))
}

function take(platform: ScriptedPlatform, invoiceId: string, xml: string): RawAnswer {
  const known = platform.kept.get(invoiceId)
  const receivedAt = new Date().toISOString()
  const kept = known ?? { submissionId: randomUUID(), invoiceId, xml, receivedAt, reads: 0 }
  if (kept.xml !== xml) return json(409, { code: 'IDEMPOTENCY_CONFLICT' })
  platform.kept.set(invoiceId, kept)
  return json(202, { submissionId: kept.submissionId, receivedAt: kept.receivedAt })
}

function present({ submissionId, invoiceId, receivedAt, xml }: Kept, decision: Decision): object {
  const documentSha256 = createHash('sha256').update(xml).digest('hex')
  const shown = { submissionId, receivedAt, documentSha256, decidedAt: null, ...decision }
  if (decision.status === 'ACCEPTED') {
    return { ...shown, reference: `REF-${invoiceId}`, qrCode: 'http://verify', qrPayload: 'signed' }
  }
  if (decision.status === 'REJECTED') {
    return { ...shown, errorCode: 'BUYER_UNKNOWN', errorMessage: 'The buyer is not known.' }
  }
  return shown
}

function json(status: number, body: object): RawAnswer {
  return { status, body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }
}

function send(response: ServerResponse, answer: Failure['answer'] | undefined): void {
  if (answer === 'cut') return void response.socket?.destroy()
  if (answer === 'silence' || answer === undefined) return
  if (answer === 'drip') {
    drip(response)
    return
  }
  response.writeHead(answer.status, answer.headers).end(answer.body)
}

/** Headers at once, then a byte now and then, for ever: what an idle timeout never notices. */
function drip(response: ServerResponse): void {
  response.writeHead(200, { 'content-type': 'application/json' })
  const timer = setInterval(() => response.write(' '), 10)
  response.on('close', () => clearInterval(timer))
}
