/**
 * Timeouts are an `Answer` too; a method throws only for a defect of ours. `find`, `read` and a
 * second `submit` under the same invoice id change nothing at the platform.
 */

import type { Span } from '@einvoicing/runtime/trace'

export interface Authority {
  /** The invoice id is the idempotency key. */
  submit(invoiceId: string, xml: Uint8Array, span?: Span): Promise<Answer>
  find(invoiceId: string, span?: Span): Promise<Answer>
  read(submissionId: string, span?: Span): Promise<Answer>
  /** Throws when the platform gives no valid answer. */
  reach(): Promise<void>
  close(): Promise<void>
}

export interface Submission {
  submissionId: string
  /** By the platform's clock. */
  receivedAt: string | undefined
  /** Lower-case hexadecimal; absent when not reported. */
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

/** Timeout, cut connection, 5xx, HTML or invalid JSON: the submission may have been accepted. */
export interface Unclear {
  kind: 'unclear'
  reason: string
  /** For users, where `reason` names an address of our network. */
  publicReason?: string
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
