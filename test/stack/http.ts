/**
 * One request to the service and its answer, taken apart.
 *
 * Refuses, by throwing, whatever is no envelope where the interface promises one (specification,
 * section 2.2).
 */

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
}

export const requestDeadlineMs = 30_000

export async function send(
  method: string,
  url: string,
  { key, headers = {}, body }: RequestOptions = {},
): Promise<Download> {
  const answer = await fetch(url, {
    method,
    redirect: 'manual',
    signal: AbortSignal.timeout(requestDeadlineMs),
    headers: {
      ...(key !== undefined && { Authorization: `Bearer ${key}` }),
      ...(body !== undefined && { 'Content-Type': 'application/json' }),
      ...headers,
    },
    ...(body !== undefined && { body: toBody(body) }),
  })
  const { status, headers: answered } = answer
  return { status, headers: answered, bytes: Buffer.from(await answer.arrayBuffer()) }
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
