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
  /** To take a document, to find it by key, to read it by id, or totals. */
  kind: 'submit' | 'find' | 'read' | 'totals'
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

export interface Submission {
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
  submissions: Map<string, Submission>
  /** Decides the fate of each request. */
  failWith: (request: PlatformRequest) => Failure | undefined
  /** Every request is done and answered only then. */
  hold: Promise<void> | undefined
  /** Decides what a read shows. */
  decide: (submission: Submission) => Decision
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
  kind: PlatformRequest['kind'],
  problem: Failure,
): void {
  let struck = false
  platform.failWith = (request) => {
    if (struck || request.kind !== kind) return undefined
    struck = true
    return problem
  }
}

/** Shows PROCESSING on the first read, then the decision. */
export const acceptOnSecondRead = ({ reads }: Submission): Decision =>
  reads < 2
    ? { status: 'PROCESSING' }
    : { status: 'ACCEPTED', decidedAt: '2026-03-04T05:06:07.890Z' }

export async function openScriptedPlatform(): Promise<ScriptedPlatform> {
  const platform: ScriptedPlatform = {
    url: '',
    requests: [],
    submissions: new Map(),
    failWith: () => undefined,
    hold: undefined,
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
  await platform.hold
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
    return { kind: 'submit', invoiceId: String(incoming.headers['idempotency-key']), ...arrived }
  }
  const key = searchParams.get('idempotencyKey') ?? undefined
  if (key !== undefined) return { kind: 'find', invoiceId: key, ...arrived }
  const id = /\/v1\/submissions\/(.+)$/.exec(pathname)?.[1]
  if (id === undefined) return { kind: 'totals', invoiceId: undefined, ...arrived }
  const submissions = [...platform.submissions.values()]
  const submission = submissions.find(({ submissionId }) => submissionId === id)
  return { kind: 'read', invoiceId: submission?.invoiceId, ...arrived }
}

function act(platform: ScriptedPlatform, request: PlatformRequest, xml: string): RawAnswer {
  if (request.kind === 'totals') return json(200, { total: platform.submissions.size })
  if (request.kind === 'submit') return take(platform, request.invoiceId ?? '', xml)
  const submission = platform.submissions.get(request.invoiceId ?? '')
  if (!submission) return json(404, { code: 'SUBMISSION_NOT_FOUND', message: 'No such submission.' })
  submission.reads += 1
  return json(200, present(submission, platform.decide(submission)))
}

function take(platform: ScriptedPlatform, invoiceId: string, xml: string): RawAnswer {
  const known = platform.submissions.get(invoiceId)
  const receivedAt = new Date().toISOString()
  const submission = known ?? { submissionId: randomUUID(), invoiceId, xml, receivedAt, reads: 0 }
  if (submission.xml !== xml) return json(409, { code: 'IDEMPOTENCY_CONFLICT' })
  platform.submissions.set(invoiceId, submission)
  return json(202, { submissionId: submission.submissionId, receivedAt: submission.receivedAt })
}

function present(
  { submissionId, invoiceId, receivedAt, xml }: Submission,
  decision: Decision,
): object {
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
