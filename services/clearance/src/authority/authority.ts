/**
 * Every reply of the platform, silence included, is an `Answer`; a method throws only for a defect
 * of ours. `find`, `read` and a second `submit` under the same invoice id change nothing at the
 * platform.
 */

import type { Span } from '@einvoicing/runtime/trace'

export interface Authority {
  /** The invoice id is the idempotency key. */
  submit(invoiceId: string, xml: Uint8Array, span?: Span): Promise<Answer>
  /** `unknown` when the platform has no submission under the invoice id. */
  find(invoiceId: string, span?: Span): Promise<Answer>
  read(submissionId: string, span?: Span): Promise<Answer>
  /** Throws when the platform gives no valid answer at all. */
  reach(): Promise<void>
  close(): Promise<void>
}

export interface Submission {
  submissionId: string
  /** ISO 8601, UTC, by the platform's clock. */
  receivedAt: string | undefined
  /** SHA-256 of its document in lower-case hexadecimal, if it reports one. */
  documentSha256: string | undefined
  raw: string
}

/** The platform has it and will decide. */
export interface Received extends Submission {
  kind: 'received'
}

export interface Processing extends Submission {
  kind: 'processing'
}

export interface Accepted extends Submission {
  kind: 'accepted'
  reference: string
  qrCode: string
  qrPayload: string
  decidedAt: string
}

export interface Rejected extends Submission {
  kind: 'rejected'
  errorCode: string
  errorMessage: string
  decidedAt: string
}

export type Decision = Accepted | Rejected

/** A 404 that is not the platform's own (a proxy's page) is `unclear`. */
export interface Unknown {
  kind: 'unknown'
}

export interface Throttled {
  kind: 'throttled'
  retryAfterMs: number | undefined
}

/** 409, 422: the invoice was reported before. */
export interface Duplicate {
  kind: 'duplicate'
  status: number
  raw: string
}

/** 401, 403, a wrong path or method: our credentials or address are invalid, not this invoice. */
export interface Misconfigured {
  kind: 'misconfigured'
  status: number
  raw: string
}

/** Any other 4xx. */
export interface Refused {
  kind: 'refused'
  status: number
  raw: string
}

/**
 * Timeout, cut connection, 5xx, HTML, or invalid JSON: whether a submission was accepted is
 * unknown.
 */
export interface Unclear {
  kind: 'unclear'
  reason: string
  retryAfterMs: number | undefined
}

export type Answer =
  | Received
  | Processing
  | Decision
  | Unknown
  | Throttled
  | Duplicate
  | Misconfigured
  | Refused
  | Unclear
