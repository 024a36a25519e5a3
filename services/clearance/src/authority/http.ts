/**
 * The platform over HTTP (design.md, section 7), by undici: bounded connections, a total deadline
 * and a bounded answer for each call.
 *
 * Never repeats a call by itself and follows no redirect: whoever calls decides what an unclear
 * answer means.
 */

import { Pool } from 'undici'
import type { Clock } from '@einvoicing/kernel/clock'
import type { Answer, Authority, Unclear } from './authority'
import { readSubmissionAnswer, readSubmitAnswer, type HttpAnswer } from './read-answer'

export interface HttpAuthorityOptions {
  /** Origin and, where there is one, the path before `/v1`. */
  url: string
  /** A call as a whole: connecting, sending, and the last byte of the answer. */
  requestDeadlineMs: number
  connectionsMax: number
  now: Clock
}

// A real answer has two kilobytes. It travels whole in a fact, and the bus takes at most 1 MB after
// escaping.
const answerBytesMax = 256 * 1024
const reachDeadlineMs = 2_000

interface HttpCall {
  method: 'GET' | 'POST'
  path: string
  headers?: Record<string, string>
  body?: Uint8Array
}

export function openHttpAuthority(options: HttpAuthorityOptions): Authority {
  const { url, requestDeadlineMs, connectionsMax, now } = options
  const { origin, pathname } = new URL(url)
  const submissions = `${pathname.replace(/\/+$/, '')}/v1/submissions`
  const pool = new Pool(origin, {
    connections: connectionsMax,
    connect: { timeout: requestDeadlineMs },
    headersTimeout: requestDeadlineMs,
    bodyTimeout: requestDeadlineMs,
    maxResponseSize: answerBytesMax,
  })

  const ask = async (
    call: HttpCall,
    read: (answer: HttpAnswer, now: Date) => Answer,
  ): Promise<Answer> => {
    try {
      return read(await request(pool, call, requestDeadlineMs), now())
    } catch (error) {
      return unclear(error, requestDeadlineMs)
    }
  }
  const get = (path: string) => ask({ method: 'GET', path }, readSubmissionAnswer)

  return {
    submit: (invoiceId, xml) =>
      ask(
        {
          method: 'POST',
          path: submissions,
          headers: { 'content-type': 'application/xml', 'idempotency-key': invoiceId },
          body: xml,
        },
        readSubmitAnswer,
      ),
    find: (invoiceId) => get(`${submissions}?idempotencyKey=${encodeURIComponent(invoiceId)}`),
    read: (submissionId) => get(`${submissions}/${encodeURIComponent(submissionId)}`),
    async reach() {
      const { status } = await request(pool, { method: 'GET', path: submissions }, reachDeadlineMs)
      if (status >= 500) throw new Error(`the clearance platform answers HTTP ${status}`)
    },
    close: async () => {
      if (!pool.closed) await pool.close()
    },
  }
}

async function request(pool: Pool, call: HttpCall, deadlineMs: number): Promise<HttpAnswer> {
  const { statusCode, headers, body } = await pool.request({
    ...call,
    headers: { accept: 'application/json', ...call.headers },
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
  const reason =
    name === 'TimeoutError'
      ? `no answer within ${deadlineMs / 1000} s`
      : typeof code === 'string'
        ? `${code}: ${message}`
        : message
  return { kind: 'unclear', reason, retryAfterMs: undefined }
}
