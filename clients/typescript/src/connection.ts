// Redirects are not followed, everything has a timeout, and the key never leaves this file.

import { readAll, readChunks } from './body'
import { EinvoicingError } from './errors'
import { fetchError, isAbort, isFetchError } from './fetch-errors'
import { longestTimerMs, readRetryAfter } from './patience'
import type { FieldError, ServiceErrorCode } from './schemas'

export interface ConnectionSettings {
  /** Origin of the service, `https://…`; a path before `/v1` is preserved. */
  baseUrl: string | URL
  apiKey: string
  fetch?: typeof fetch | undefined
}

export interface Request {
  method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  /** Below `/v1/invoices`. */
  path: string
  query?: Readonly<Record<string, string | number | undefined>> | undefined
  body?: string | Uint8Array<ArrayBuffer> | undefined
  /** Instead of the invoices. */
  below?: 'verify'
  ifMatch?: string | undefined
  acceptEncoding?: 'identity'
}

export interface Limits {
  /** For the whole exchange, including the last byte of the answer. */
  timeoutMs: number
  signal?: AbortSignal | undefined
}

export interface Opened {
  status: number
  headers: Headers
  requestId: string
  /** Throws `EinvoicingError`, and the reason of the signal. */
  body: AsyncIterable<Uint8Array>
}

export type Reader<Result> = (opened: Opened) => Promise<Result>

interface Envelope {
  code: string
  message: string
  data: unknown
  errors: FieldError[] | null
}

export class Connection {
  readonly #address: string
  readonly #base: string
  readonly #key: string
  readonly #fetch: typeof fetch

  /** Throws `TypeError` for an invalid address or key. */
  constructor({ baseUrl, apiKey, fetch: send = fetch }: ConnectionSettings) {
    this.#address = `${checkedAddress(baseUrl)}/v1`
    this.#base = `${this.#address}/invoices`
    this.#key = checkedKey(apiKey)
    this.#fetch = send
  }

  /** The data of a successful answer. Throws `EinvoicingError`. */
  send<Data>(request: Request, limits: Limits): Promise<Data> {
    return this.#open(request, limits, async (opened) => {
      const envelope = await this.#readEnvelope(opened)
      if (opened.status >= 300) throw this.#toError(opened, envelope)
      return envelope.data as Data
    })
  }

  download<Result>(request: Request, limits: Limits, read: Reader<Result>): Promise<Result> {
    // A proxy that compresses the answer changes its tag.
    const uncompressed: Request = { ...request, acceptEncoding: 'identity' }
    return this.#open(uncompressed, limits, async (opened) => {
      if (opened.status !== 200) throw this.#toError(opened, await this.#readEnvelope(opened))
      return read(opened)
    })
  }

  async #open<Result>(
    request: Request,
    { timeoutMs, signal }: Limits,
    use: Reader<Result>,
  ): Promise<Result> {
    const requestId = crypto.randomUUID()
    const ending = new AbortController()
    const abort = () => ending.abort(signal?.reason)
    signal?.throwIfAborted()
    signal?.addEventListener('abort', abort)
    const timer = setTimeout(
      () => ending.abort(timedOut(timeoutMs, requestId)),
      Math.min(timeoutMs, longestTimerMs),
    )
    let status: number | undefined
    const toError = (error: unknown): unknown => {
      const { aborted, reason } = ending.signal as { aborted: boolean; reason: unknown }
      if (aborted && isAbort(error, ending.signal)) return reason
      if (!isFetchError(error)) return error
      return fetchError(error, { address: this.#base, requestId, answered: status !== undefined })
    }
    try {
      const answer = await this.#send(request, requestId, ending.signal).catch((error: unknown) => {
        throw toError(error)
      })
      status = answer.status
      return await use({
        status,
        headers: answer.headers,
        requestId: answer.headers.get('x-request-id') ?? requestId,
        body: readChunks(answer.body, toError),
      })
    } finally {
      clearTimeout(timer)
      signal?.removeEventListener('abort', abort)
      ending.abort()
    }
  }

  async #send(request: Request, requestId: string, signal: AbortSignal): Promise<Response> {
    const { method, path, query, body, ifMatch, below, acceptEncoding } = request
    const base = below ? `${this.#address}/${below}` : this.#base
    const mediaType = below ? 'application/xml' : 'application/json'
    // As a free function: the browser's own cannot be called as a method of another object.
    const send = this.#fetch
    return send(`${base}${path}${queryText(query)}`, {
      method,
      signal,
      // The key must not go elsewhere, and a POST would become a GET.
      redirect: 'manual',
      headers: {
        Authorization: `Bearer ${this.#key}`,
        'X-Request-Id': requestId,
        ...(body !== undefined && { 'Content-Type': mediaType }),
        ...(ifMatch !== undefined && { 'If-Match': `"${ifMatch}"` }),
        ...(acceptEncoding !== undefined && { 'Accept-Encoding': acceptEncoding }),
      },
      ...(body !== undefined && { body }),
    })
  }

  async #readEnvelope(opened: Opened): Promise<Envelope> {
    const text = new TextDecoder().decode(await readAll(opened.body))
    const envelope = parseEnvelope(text)
    // In a browser, a redirect that was not followed has no status.
    if (!envelope || opened.status < 200 || (opened.status >= 300 && opened.status < 400)) {
      throw foreignAnswer(opened)
    }
    return envelope
  }

  #toError(opened: Opened, { code, message, errors }: Envelope): EinvoicingError {
    // The service does not repeat the key; a proxy might.
    const clean = (text: string) => text.replaceAll(this.#key, 'svc_sk_…')
    return new EinvoicingError(code as ServiceErrorCode, clean(message), {
      ...toDetails(opened),
      errors: errors?.map((problem) => ({ ...problem, message: clean(problem.message) })),
    })
  }
}

function checkedAddress(baseUrl: string | URL): string {
  const address = URL.canParse(String(baseUrl)) ? new URL(String(baseUrl)) : undefined
  const isPlain =
    address !== undefined &&
    /^https?:$/.test(address.protocol) &&
    address.username + address.password + address.search + address.hash === ''
  if (!isPlain) {
    throw new TypeError('baseUrl must be the http:// or https:// address of the service alone')
  }
  return `${address.origin}${address.pathname}`.replace(/\/+$/, '')
}

// `fetch` would reject other characters with a message that contains the key.
function checkedKey(apiKey: string): string {
  if (/^[\x21-\x7e]+$/.test(apiKey)) return apiKey
  throw new TypeError('apiKey must be a key as the dashboard showed it: svc_sk_ and 49 characters')
}

function queryText(query: Request['query'] = {}): string {
  const parameters = Object.entries(query).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, String(value)] as [string, string]],
  )
  return parameters.length > 0 ? `?${new URLSearchParams(parameters).toString()}` : ''
}

function parseEnvelope(text: string): Envelope | undefined {
  try {
    const { code, message, data, errors } = JSON.parse(text) as Partial<Envelope>
    if (typeof code !== 'string' || typeof message !== 'string' || data === undefined) return
    return { code, message, data, errors: Array.isArray(errors) ? errors : null }
  } catch {
    return undefined
  }
}

function foreignAnswer(opened: Opened): EinvoicingError {
  const { status, headers } = opened
  const type = headers.get('content-type')?.split(';')[0] ?? 'no content type'
  const what =
    status < 200 || (status >= 300 && status < 400) ? 'a redirect' : `HTTP ${status}, ${type}`
  return new EinvoicingError(
    'NOT_THE_SERVICE',
    `Unexpected response (not from the invoicing service): ${what}. Check the address and any proxy in between.`,
    toDetails(opened),
  )
}

function toDetails({ status, headers, requestId }: Opened) {
  const retryAfterSeconds = readRetryAfter(headers.get('retry-after'))
  return { status, requestId, retryAfterSeconds }
}

function timedOut(timeoutMs: number, requestId: string): EinvoicingError {
  const message = `No complete response within ${timeoutMs} ms.`
  return new EinvoicingError('TIMED_OUT', message, { requestId })
}
