/**
 * The tax authority's platform as clearance needs it. Adapter: http.ts. One contract:
 * authority.contract.ts.
 *
 * What the platform says, and that it says nothing, is an `Answer`; a method throws only for a
 * defect of ours. Both ways of asking and a second `submit` under the same invoice id change
 * nothing on the platform's side. Calls are traced below `span`, where there is one.
 */

import type { Span } from '@einvoicing/runtime/trace'

export interface Authority {
  /** Hands the signed XML over, with the invoice id as idempotency key. */
  submit(invoiceId: string, xml: Uint8Array, span?: Span): Promise<Answer>
  /** Asks for the submission made under an invoice id: `unknown` when the platform has none. */
  find(invoiceId: string, span?: Span): Promise<Answer>
  /** Asks for a submission by the platform's own id. */
  read(submissionId: string, span?: Span): Promise<Answer>
  /** Throws when the platform gives no sound answer at all. */
  reach(): Promise<void>
  /** Lets calls at work end, each within its own deadline. */
  close(): Promise<void>
}

/** What the platform says of a submission it has. */
export interface Submission {
  submissionId: string
  /** ISO 8601, UTC, by the platform's clock. */
  receivedAt: string | undefined
  /** SHA-256 of the document it holds, lower-case hexadecimal, where it tells. */
  documentSha256: string | undefined
  /** The answer's body as it came. */
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

/**
 * The platform says that it has no such submission. A 404 that is not the platform's own (a proxy's
 * page) is `unclear`.
 */
export interface Unknown {
  kind: 'unknown'
}

/** 429: not processed, ask later. */
export interface Throttled {
  kind: 'throttled'
  retryAfterMs: number | undefined
}

/** 409, 422: the platform says that the invoice was reported before. */
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

/** Any other 4xx: the platform refuses this submission. */
export interface Refused {
  kind: 'refused'
  status: number
  raw: string
}

/**
 * Timeout, cut connection, 5xx, HTML, or JSON that makes no sense: whether a submission was taken
 * is not known.
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
