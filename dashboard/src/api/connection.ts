/**
 * An error of the service is thrown as `ServiceError`, no response as `Unreachable`. A call that
 * finds the session expired waits until the user has signed in, confirmed, or set up a second
 * factor, and is sent again, so that nothing typed is lost.
 */

import { isAttended } from './attendance'
import { parseAnswer } from './exact-answer'

export interface FieldError {
  field: string
  message: string
}

interface Envelope {
  code: string
  message: string
  data: unknown
  errors: FieldError[] | null
}

export class ServiceError extends Error {
  override readonly name = 'ServiceError'
  readonly code: string
  readonly status: number
  readonly fieldErrors: readonly FieldError[]
  readonly retryAfter: number | undefined

  constructor({ code, message, errors }: Envelope, answer: Response) {
    super(message)
    this.code = code
    this.status = answer.status
    this.fieldErrors = errors ?? []
    const retryAfter = Number(answer.headers.get('retry-after') ?? Number.NaN)
    this.retryAfter = Number.isFinite(retryAfter) ? retryAfter : undefined
  }
}

/** No response, or one that is not the service's, such as a proxy's. */
export class Unreachable extends Error {
  override readonly name = 'Unreachable'
  readonly isOffline: boolean
  readonly mayBeSaved: boolean

  constructor(message: string, { cause, isOffline = false, isSafe }: UnreachableOptions) {
    super(message, { cause })
    this.isOffline = isOffline
    this.mayBeSaved = !isOffline && !isSafe
  }
}

interface UnreachableOptions {
  cause?: unknown
  isOffline?: boolean
  isSafe: boolean
}

export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE'

export interface CallOptions {
  body?: unknown
  /** Empty and absent values are left out. */
  query?: Readonly<Record<string, string | number | undefined>>
  headers?: Readonly<Record<string, string>>
  signal?: AbortSignal
  /** Saves nothing that a user would look for; as a rule only GET. */
  isSafe?: boolean
  /** For calls without a session: a 401 is thrown like any other error. */
  isAnonymous?: boolean
  /** Also sent when the session is in another organization than the page shows. */
  fromAnyOrganization?: boolean
  /** Kept by the browser, which shows it by its address afterwards. */
  isKept?: boolean
  onHeaders?(headers: Headers): void
}

export const apiPath = '/dashboard/api'
const deadlineMs = 30_000

let shownOrganization: string | undefined

/** Calls fail once another page has moved the session to another organization. */
export function onOrganizationShown(id: string | undefined): void {
  shownOrganization = id
}

let renewSession: (() => Promise<void>) | undefined

/** `renew` resolves when the user has signed in again. */
export function onSessionExpired(renew: (() => Promise<void>) | undefined): void {
  renewSession = renew
}

let confirmUser: (() => Promise<void>) | undefined

/** `confirm` resolves when the user has confirmed, and rejects when they decline. */
export function onConfirmationRequired(confirm: (() => Promise<void>) | undefined): void {
  confirmUser = confirm
}

let enrolUser: (() => Promise<void>) | undefined

/** Without a second factor that is required: `enrol` resolves when the user has set one up. */
export function onEnrolmentRequired(enrol: (() => Promise<void>) | undefined): void {
  enrolUser = enrol
}

/** `path` is below `/dashboard/api`. */
export function call<Data>(method: Method, path: string, options: CallOptions = {}): Promise<Data> {
  return inSession(options, async () => {
    const answer = await request(method, path, options)
    const envelope = await readEnvelope(answer, isSafeCall(method, options))
    if (!answer.ok) throw new ServiceError(envelope, answer)
    options.onHeaders?.(answer.headers)
    return envelope.data as Data
  })
}

export function callForFile(method: Method, path: string, options: CallOptions): Promise<Blob> {
  return inSession(options, async () => {
    const answer = await request(method, path, options)
    const isSafe = isSafeCall(method, options)
    if (!answer.ok) throw new ServiceError(await readEnvelope(answer, isSafe), answer)
    return answer.blob()
  })
}

async function inSession<Result>(
  { isAnonymous }: CallOptions,
  run: () => Promise<Result>,
): Promise<Result> {
  try {
    return await (isAnonymous ? run() : orWithNewCookie(run))
  } catch (error) {
    if (isAnonymous) {
      if (isEnrolmentRequired(error)) enrolUser?.().catch(() => undefined)
      throw error
    }
    await recover(error)
    return await inSession({ isAnonymous: true }, run)
  }
}

// Longer than the service takes between ending a cookie and answering with the next.
const newCookieMs = 1_000

/**
 * A confirmation replaces the cookie of all pages of this browser: what they sent just before may
 * be answered that the session has ended.
 */
async function orWithNewCookie<Result>(run: () => Promise<Result>): Promise<Result> {
  try {
    return await run()
  } catch (error) {
    if (!(error instanceof ServiceError) || error.code !== 'SESSION_INVALID') throw error
    await new Promise((resolve) => setTimeout(resolve, newCookieMs))
    return run()
  }
}

/** Throws errors that cannot be recovered from. */
async function recover(error: unknown): Promise<void> {
  if (isSessionExpired(error) && renewSession) return renewSession()
  if (isEnrolmentRequired(error) && enrolUser) return enrolUser()
  if (isConfirmationRequired(error) && confirmUser) {
    return confirmUser().catch(() => {
      throw error
    })
  }
  throw error
}

function isEnrolmentRequired(error: unknown): boolean {
  return (
    error instanceof ServiceError &&
    (error.code === 'SECOND_FACTOR_REQUIRED' || error.code === 'EMAIL_NOT_VERIFIED')
  )
}

function isConfirmationRequired(error: unknown): boolean {
  return error instanceof ServiceError && error.code === 'CONFIRMATION_REQUIRED'
}

export function isSessionExpired(error: unknown): boolean {
  return (
    error instanceof ServiceError &&
    (error.code === 'SESSION_MISSING' || error.code === 'SESSION_INVALID')
  )
}

export function toUrl(path: string, query: CallOptions['query'] = {}): string {
  const parameters = Object.entries(query).filter(
    ([, value]) => value !== undefined && value !== '',
  )
  const text = new URLSearchParams(
    parameters.map(([name, value]) => [name, String(value)]),
  ).toString()
  return `${apiPath}${path}${text && `?${text}`}`
}

const isSafeCall = (method: Method, { isSafe = method === 'GET' }: CallOptions) => isSafe

function request(method: Method, path: string, options: CallOptions): Promise<Response> {
  const { body, query, headers, signal, isKept, isAnonymous, fromAnyOrganization } = options
  const isSafe = isSafeCall(method, options)
  const shown = isAnonymous || fromAnyOrganization ? undefined : shownOrganization
  const deadline = AbortSignal.timeout(deadlineMs)
  const init: RequestInit = {
    method,
    credentials: 'same-origin',
    cache: isKept ? 'default' : 'no-store',
    signal: signal ? AbortSignal.any([signal, deadline]) : deadline,
    headers: {
      Accept: 'application/json',
      'X-Requested-With': 'dashboard',
      ...(shown !== undefined && { 'X-Organization-Id': shown }),
      ...(!isAttended() && { 'X-Unattended': '1' }),
      ...(body !== undefined && { 'Content-Type': 'application/json' }),
      ...headers,
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  }
  const isOffline = !navigator.onLine
  return fetch(toUrl(path, query), init).catch((cause: unknown) => {
    if (signal?.aborted) throw cause
    throw new Unreachable('no answer', { cause, isOffline, isSafe })
  })
}

async function readEnvelope(answer: Response, isSafe: boolean): Promise<Envelope> {
  const message = `HTTP ${answer.status} without an envelope`
  try {
    const envelope = parseAnswer(await answer.text()) as Partial<Envelope>
    if (typeof envelope.code === 'string') return envelope as Envelope
  } catch (cause) {
    throw new Unreachable(message, { cause, isSafe })
  }
  throw new Unreachable(message, { isSafe })
}
