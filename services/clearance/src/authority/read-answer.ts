/** An unexpected body is `unclear`: half an answer could clear an invoice that was not cleared. */

import type {
  Accepted,
  Answer,
  Misconfigured,
  Processing,
  Received,
  Rejected,
  Submission,
  Unclear,
} from './authority'
import { findUnusable, textLimits, tidy } from './platform-text'
import { readRetryAfter } from './retry-after'

export interface HttpAnswer {
  status: number
  retryAfter: string | undefined
  body: string
}

type Json = Record<string, unknown>

/** `POST /v1/submissions` */
export function readSubmitAnswer(answer: HttpAnswer, now: Date): Answer {
  if (isSuccess(answer)) return readReceived(answer) ?? senseless(answer)
  if (answer.status === 404) return misconfigured(answer)
  return readErrorAnswer(answer, now)
}

/** `GET /v1/submissions/:id` and `GET /v1/submissions?idempotencyKey=` */
export function readSubmissionAnswer(answer: HttpAnswer, now: Date): Answer {
  if (isSuccess(answer)) return readSubmission(answer) ?? senseless(answer)
  if (answer.status === 404) return parse(answer.body) ? { kind: 'unknown' } : senseless(answer)
  return readErrorAnswer(answer, now)
}

const isSuccess = ({ status }: HttpAnswer) => status >= 200 && status < 300

const duplicateStatuses = [409, 422]
const misconfiguredStatuses = [401, 403, 405, 406, 407, 415]
// RFC 9110: the request may be repeated.
const repeatableStatuses = [408, 425]

function readErrorAnswer(answer: HttpAnswer, now: Date): Answer {
  const { status, body: raw } = answer
  const retryAfterMs = readRetryAfter(answer.retryAfter, now)
  if (status === 429) return { kind: 'throttled', retryAfterMs }
  if (duplicateStatuses.includes(status)) return { kind: 'duplicate', status, raw }
  if (misconfiguredStatuses.includes(status)) return misconfigured(answer)
  if (status >= 400 && status < 500 && !repeatableStatuses.includes(status)) {
    return { kind: 'refused', status, raw }
  }
  return { kind: 'unclear', reason: `HTTP ${status}`, retryAfterMs }
}

function misconfigured({ status, body: raw }: HttpAnswer): Misconfigured {
  return { kind: 'misconfigured', status, raw }
}

function senseless({ status }: HttpAnswer): Unclear {
  const reason = `HTTP ${status} with a body that is not the protocol's`
  return { kind: 'unclear', reason, retryAfterMs: undefined }
}

function readReceived(answer: HttpAnswer): Received | undefined {
  const { submission } = readSubmissionFields(answer) ?? {}
  return submission?.receivedAt ? { kind: 'received', ...submission } : undefined
}

function readSubmission(
  answer: HttpAnswer,
): Processing | Accepted | Rejected | Unclear | undefined {
  const { json, submission } = readSubmissionFields(answer) ?? {}
  if (!json || !submission) return undefined
  if (json['status'] === 'PROCESSING') return { kind: 'processing', ...submission }
  const decidedAt = readMoment(json['decidedAt'])
  if (!decidedAt) return undefined
  const decided = Object.assign(submission, { decidedAt })
  if (json['status'] === 'ACCEPTED') return readAccepted(json, decided)
  if (json['status'] === 'REJECTED') return readRejected(json, decided)
  return undefined
}

type Decided = Submission & { decidedAt: string }

function readAccepted(json: Json, decided: Decided): Accepted | Unclear | undefined {
  const { reference, qrCode, qrPayload } = json
  if (!isText(reference) || !isText(qrCode) || !isText(qrPayload)) return undefined
  const unusable = findUnusable({ reference, qrCode, qrPayload })
  if (unusable) {
    return { kind: 'unclear', reason: `it says ACCEPTED, but ${unusable}`, retryAfterMs: undefined }
  }
  return { kind: 'accepted', ...decided, reference, qrCode, qrPayload }
}

function readRejected(json: Json, decided: Decided): Rejected | undefined {
  const { errorCode, errorMessage } = json
  if (!isText(errorCode)) return undefined
  return {
    kind: 'rejected',
    ...decided,
    errorCode: tidy(errorCode, textLimits.errorCode) || 'UNSPECIFIED',
    errorMessage:
      tidy(isText(errorMessage) ? errorMessage : errorCode, textLimits.errorMessage) ||
      'UNSPECIFIED',
  }
}

function readSubmissionFields({
  body: raw,
}: HttpAnswer): { json: Json; submission: Submission } | undefined {
  const json = parse(raw)
  const submissionId = readSubmissionId(json)
  if (!json || !submissionId) return undefined
  const { receivedAt, documentSha256 } = json
  return {
    json,
    submission: {
      submissionId,
      receivedAt: readMoment(receivedAt),
      documentSha256: isText(documentSha256) ? documentSha256.toLowerCase() : undefined,
      raw,
    },
  }
}

function parse(body: string): Json | undefined {
  try {
    const value: unknown = JSON.parse(body)
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Json)
      : undefined
  } catch {
    return undefined
  }
}

// It becomes part of a path.
const submissionIdForm = /^[\w:-][\w.:-]{0,199}$/

function readSubmissionId(json: Json | undefined): string | undefined {
  const id = json?.['submissionId']
  return isText(id) && submissionIdForm.test(id) ? id : undefined
}

const dateTime = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}/

/** ISO 8601 in UTC. */
function readMoment(value: unknown): string | undefined {
  if (!isText(value) || !dateTime.test(value)) return undefined
  const moment = new Date(value)
  return Number.isNaN(moment.getTime()) ? undefined : moment.toISOString()
}

const isText = (value: unknown): value is string => typeof value === 'string' && value !== ''
