/**
 * One request to the service and its answer, taken apart.
 *
 * Refuses, by throwing, whatever is no envelope where the interface promises one (specification,
 * section 2.2).
 */

import { once } from 'node:events'
import http from 'node:http'
import { buffer } from 'node:stream/consumers'
import { eventually } from '@einvoicing/servers/eventually'
import { checkDocumented } from './documented-codes'

export interface Failure {
  field: string
  message: string
}

/** An answer in the envelope. `data` is what the caller says it is: tests look inside. */
export interface Answer<Data = unknown> {
  status: number
  headers: Headers
  code: string
  message: string
  data: Data
  errors: Failure[] | null
}

export interface Download {
  status: number
  headers: Headers
  bytes: Buffer
}

export interface RequestOptions {
  key?: string
  headers?: Readonly<Record<string, string>>
  /** Sent as JSON; a string or bytes are sent as they are. */
  body?: unknown
  /** Another address of loopback that it comes from. */
  from?: string | undefined
}

export const requestDeadlineMs = 30_000

export async function send(
  method: string,
  url: string,
  { key, headers = {}, body, from }: RequestOptions = {},
): Promise<Download> {
  const request = {
    method,
    signal: AbortSignal.timeout(requestDeadlineMs),
    headers: {
      ...(key !== undefined && { Authorization: `Bearer ${key}` }),
      ...(body !== undefined && { 'Content-Type': 'application/json' }),
      ...headers,
    },
    ...(body !== undefined && { body: toBody(body) }),
  }
  if (from !== undefined) return sendFrom(from, url, request)
  const answer = await fetch(url, { ...request, redirect: 'manual' })
  const { status, headers: answered } = answer
  return { status, headers: answered, bytes: Buffer.from(await answer.arrayBuffer()) }
}

/**
 * As a client does that heeds `Retry-After`: the first PDF loads fonts, and a slow machine may be
 * late with it.
 */
export function untilDrawn(download: () => Promise<Download>): Promise<Download> {
  return eventually(
    async () => {
      const answer = await download()
      const text = answer.status === 503 ? answer.bytes.toString() : ''
      if (text.includes('"SERVICE_UNAVAILABLE"')) throw new Error(`not drawn: ${text}`)
      return answer
    },
    60_000,
    1_000,
  )
}

interface Request {
  method: string
  signal: AbortSignal
  headers: Record<string, string>
  body?: string | Buffer
}

/** `fetch` has no choice of its own address. */
async function sendFrom(from: string, url: string, { body, ...options }: Request) {
  const request = http.request(url, { ...options, localAddress: from, agent: false }).end(body)
  const [response] = (await once(request, 'response')) as [http.IncomingMessage]
  const headers = new Headers()
  for (const [name, values] of Object.entries(response.headersDistinct)) {
    for (const value of values ?? []) headers.append(name, value)
  }
  return { status: response.statusCode ?? 0, headers, bytes: await buffer(response) }
}

/** As `send`, for an answer that must be an envelope. */
export async function requestJson<Data = any>(
  method: string,
  url: string,
  options?: RequestOptions,
): Promise<Answer<Data>> {
  const { status, headers, bytes } = await send(method, url, options)
  const problem = envelopeProblem(status, headers.get('content-type') ?? '', bytes)
  if (problem !== undefined) {
    throw new Error(
      `${method} ${url}: ${problem}; HTTP ${status}: ${bytes.toString().slice(0, 500)}`,
    )
  }
  const envelope = JSON.parse(bytes.toString()) as Omit<Answer<Data>, 'status' | 'headers'>
  if (status >= 400) await checkDocumented(method, url, { status, code: envelope.code })
  return { status, headers, ...envelope }
}

/** What keeps an answer from being an envelope of the interface; `undefined` when nothing does. */
export function envelopeProblem(status: number, type: string, bytes: Buffer): string | undefined {
  if (!/^application\/json\b/.test(type)) return `content type ${type || '(none)'}`
  const { fields, envelope } = readJson(bytes)
  if (fields !== 'code,data,errors,message') return `fields ${fields}`
  const { code, message, data, errors } = envelope
  if (typeof code !== 'string' || !/^[A-Z][A-Z0-9_]*$/.test(code)) return 'code is no stable word'
  if (typeof message !== 'string' || message === '') return 'message is missing'
  if ((code === 'OK') !== status < 400) return `code ${code} with HTTP ${status}`
  if (code === 'OK') return errors === null ? undefined : 'errors on success'
  if (data !== null) return 'data on error'
  if (errors !== null && !isErrorList(errors)) return 'errors are no list of field and message'
  return undefined
}

function readJson(bytes: Buffer): { fields: string; envelope: Record<string, unknown> } {
  try {
    const envelope = JSON.parse(bytes.toString()) as Record<string, unknown>
    return { fields: Object.keys(envelope).sort().join(), envelope }
  } catch {
    return { fields: '(no JSON)', envelope: {} }
  }
}

function isErrorList(errors: unknown): boolean {
  return (
    Array.isArray(errors) &&
    errors.length > 0 &&
    errors.every(
      (problem: Partial<Failure>) =>
        typeof problem.field === 'string' && typeof problem.message === 'string' && problem.message,
    )
  )
}

function toBody(body: unknown): string | Buffer {
  return typeof body === 'string' || Buffer.isBuffer(body) ? body : JSON.stringify(body)
}
