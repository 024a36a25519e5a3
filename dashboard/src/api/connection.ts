/**
 * One call of the dashboard's API: JSON in the envelope, by the session's cookie.
 *
 * What the service refuses is thrown as `Refused`; what never got an answer as `Unreachable`. A call
 * that finds the session over waits until somebody has signed in again, and is then made once more:
 * what was typed is never lost.
 */

import { parseAnswer } from './exact-answer'

export interface Fault {
  field: string
  message: string
}

interface Envelope {
  code: string
  message: string
  data: unknown
  errors: Fault[] | null
}

export class Refused extends Error {
  override readonly name = 'Refused'
  readonly code: string
  readonly status: number
  readonly faults: readonly Fault[]
  /** Seconds until asking again makes sense. */
  readonly retryAfter: number | undefined

  constructor({ code, message, errors }: Envelope, answer: Response) {
    super(message)
    this.code = code
    this.status = answer.status
    this.faults = errors ?? []
    const retryAfter = Number(answer.headers.get('retry-after') ?? Number.NaN)
    this.retryAfter = Number.isFinite(retryAfter) ? retryAfter : undefined
  }
}

/** No answer, or one that is not the service's: the network, a proxy, a server that is away. */
export class Unreachable extends Error {
  override readonly name = 'Unreachable'
}

export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE'

export interface CallOptions {
  body?: unknown
  /** Empty and absent ones are left out. */
  query?: Readonly<Record<string, string | number | undefined>>
  headers?: Readonly<Record<string, string>>
  signal?: AbortSignal
  /** For calls that need no session: a 401 is then thrown as any refusal. */
  isAnonymous?: boolean
  /** Given the headers of a success. */
  onHeaders?(headers: Headers): void
}

export const apiPath = '/dashboard/api'
const deadlineMs = 30_000

let renewSession: (() => Promise<void>) | undefined

/** Who asks for a new sign-in when the session is over; resolves when there is one. */
export function onSessionOver(renew: (() => Promise<void>) | undefined): void {
  renewSession = renew
}

/** `path` is below `/dashboard/api`. */
export async function call<Data>(
  method: Method,
  path: string,
  options: CallOptions = {},
): Promise<Data> {
  try {
    return await callOnce<Data>(method, path, options)
  } catch (error) {
    if (!isSessionOver(error) || options.isAnonymous || !renewSession) throw error
    await renewSession()
    return await callOnce<Data>(method, path, options)
  }
}

export function isSessionOver(error: unknown): boolean {
  return (
    error instanceof Refused &&
    (error.code === 'SESSION_MISSING' || error.code === 'SESSION_INVALID')
  )
}

/** The address of a call that answers a file. */
export function addressOf(path: string, query: CallOptions['query'] = {}): string {
  const given = Object.entries(query).filter(([, value]) => value !== undefined && value !== '')
  const text = new URLSearchParams(given.map(([name, value]) => [name, String(value)])).toString()
  return `${apiPath}${path}${text && `?${text}`}`
}

async function callOnce<Data>(method: Method, path: string, options: CallOptions): Promise<Data> {
  const { body, query, headers, signal } = options
  const deadline = AbortSignal.timeout(deadlineMs)
  const request: RequestInit = {
    method,
    credentials: 'same-origin',
    cache: 'no-store',
    signal: signal ? AbortSignal.any([signal, deadline]) : deadline,
    headers: {
      Accept: 'application/json',
      'X-Requested-With': 'dashboard',
      ...(body !== undefined && { 'Content-Type': 'application/json' }),
      ...headers,
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  }
  const answer = await fetch(addressOf(path, query), request).catch((cause: unknown) => {
    if (signal?.aborted) throw cause
    throw new Unreachable('no answer', { cause })
  })
  const envelope = await readEnvelope(answer)
  if (!answer.ok) throw new Refused(envelope, answer)
  options.onHeaders?.(answer.headers)
  return envelope.data as Data
}

async function readEnvelope(answer: Response): Promise<Envelope> {
  try {
    const envelope = parseAnswer(await answer.text()) as Partial<Envelope>
    if (typeof envelope.code === 'string') return envelope as Envelope
  } catch (cause) {
    throw new Unreachable(`HTTP ${answer.status} without an envelope`, { cause })
  }
  throw new Unreachable(`HTTP ${answer.status} without an envelope`)
}
