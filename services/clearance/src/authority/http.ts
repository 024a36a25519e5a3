/** Every call has a deadline. No retries and no redirects: the caller handles unclear answers. */

import { Pool } from 'undici'
import type { Clock } from '@einvoicing/runtime/clock'
import {
  endWith,
  beginSpan,
  markFailedWith,
  toTraceparent,
  type Span,
} from '@einvoicing/runtime/trace'
import type { Answer, Authority, Unclear } from './authority'
import { readSubmissionAnswer, readSubmitAnswer, type HttpAnswer } from './read-answer'

export interface HttpAuthorityOptions {
  /** Origin and optional path before `/v1`. */
  url: string
  requestDeadlineMs: number
  reachDeadlineMs?: number
  connectionsMax: number
  now: Clock
}

// Usual answers have two kilobytes. After escaping it must fit in an event of 1 MB.
const answerBytesMax = 64 * 1024
const usualReachDeadlineMs = 2_000

interface HttpCall {
  method: 'GET' | 'POST'
  path: string
  template: string
  span?: Span | undefined
  headers?: Record<string, string>
  body?: Uint8Array
}

export function openHttpAuthority(options: HttpAuthorityOptions): Authority {
  const { url, requestDeadlineMs, connectionsMax, now } = options
  const { reachDeadlineMs = usualReachDeadlineMs } = options
  const { origin, pathname } = new URL(url)
  const submissions = `${pathname.replace(/\/+$/, '')}/v1/submissions`
  const pool = new Pool(origin, {
    connections: connectionsMax,
    connect: { timeout: requestDeadlineMs },
    headersTimeout: requestDeadlineMs,
    bodyTimeout: requestDeadlineMs,
    maxResponseSize: answerBytesMax,
  })

  const send = async (
    call: HttpCall,
    read: (answer: HttpAnswer, now: Date) => Answer,
  ): Promise<Answer> => {
    try {
      return read(await tracedRequest(pool, call, requestDeadlineMs), now())
    } catch (error) {
      return unclear(error, requestDeadlineMs)
    }
  }
  const get = (query: Omit<HttpCall, 'method'>) =>
    send({ method: 'GET', ...query }, readSubmissionAnswer)

  return {
    submit: (invoiceId, xml, span) =>
      send(
        {
          method: 'POST',
          path: submissions,
          template: '/v1/submissions',
          span,
          headers: { 'content-type': 'application/xml', 'idempotency-key': invoiceId },
          body: xml,
        },
        readSubmitAnswer,
      ),
    find: (invoiceId, span) => {
      const path = `${submissions}?idempotencyKey=${encodeURIComponent(invoiceId)}`
      return get({ path, template: '/v1/submissions', span })
    },
    read: (submissionId, span) => {
      const path = `${submissions}/${encodeURIComponent(submissionId)}`
      return get({ path, template: '/v1/submissions/{id}', span })
    },
    async reach() {
      const call: HttpCall = { method: 'GET', path: submissions, template: '/v1/submissions' }
      const { status } = await request(pool, call, reachDeadlineMs)
      if (status >= 500) throw new Error(`the clearance platform answers HTTP ${status}`)
    },
    close: async () => {
      if (!pool.closed) await pool.close()
    },
  }
}

/** Names of OpenTelemetry's HTTP conventions; without the address, which may hold a secret. */
function tracedRequest(pool: Pool, call: HttpCall, deadlineMs: number): Promise<HttpAnswer> {
  const { method, template } = call
  const span = beginSpan(call.span, {
    name: `${method} ${template}`,
    kind: 'CLIENT',
    attributes: { 'http.request.method': method, 'url.template': template },
  })
  if (!span) return request(pool, call, deadlineMs)
  return endWith(span, async () => {
    const answer = await request(pool, { ...call, span }, deadlineMs)
    span.setAttribute('http.response.status_code', answer.status)
    if (answer.status >= 400) markFailedWith(span, String(answer.status))
    return answer
  })
}

async function request(pool: Pool, call: HttpCall, deadlineMs: number): Promise<HttpAnswer> {
  const { method, path, body: sent = null, span } = call
  const traceparent = toTraceparent(span)
  const { statusCode, headers, body } = await pool.request({
    method,
    path,
    body: sent,
    headers: { accept: 'application/json', ...call.headers, ...(traceparent && { traceparent }) },
    signal: AbortSignal.timeout(deadlineMs),
  })
  const retryAfter = headers['retry-after']
  return {
    status: statusCode,
    retryAfter: Array.isArray(retryAfter) ? retryAfter[0] : retryAfter,
    body: await body.text(),
  }
}

function unclear(error: unknown, deadlineMs: number): Unclear {
  const { name, code, message } = error as Error & { code?: string | number }
  const kind = 'unclear'
  const retryAfterMs = undefined
  if (name === 'TimeoutError') {
    return { kind, reason: `no answer within ${deadlineMs / 1000} s`, retryAfterMs }
  }
  const reason = typeof code === 'string' ? `${code}: ${message}` : message
  const isTooLarge = code === 'UND_ERR_RES_EXCEEDED_MAX_SIZE'
  const publicReason = isTooLarge ? 'answer too large' : 'connection failed'
  return { kind, reason, publicReason, retryAfterMs }
}
