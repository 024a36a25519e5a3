import type { FailureCode } from '@einvoicing/domain/failure-codes'
import type { Failure } from './events'
import type { Reply } from './next-step'
import type { Undecided } from './undecided'

// An invoice that became too old while this process was down still gets this long.
const graceMs = 60_000

/** The platform may recover, the document will not. */
export const failedSubmissionsMax = 5

/** Milliseconds when the delivery began: the process may have been suspended during it. */
export function timeLeftMs(undecided: Undecided, giveUpAfterMs: number): number {
  return giveUpAtMs(undecided, giveUpAfterMs) - undecided.deliveredAtMs
}

/** A submission gets the whole time for its decision, and so does each new attempt. */
export function giveUpAtMs(undecided: Undecided, giveUpAfterMs: number): number {
  const { submission, startedAtMs, firstSeenAtMs } = undecided
  return Math.max(
    Math.max(submission?.receivedAtMs ?? 0, startedAtMs) + giveUpAfterMs,
    firstSeenAtMs + Math.min(giveUpAfterMs, graceMs),
  )
}

export function toTimeoutFailure(
  last: Reply,
  { submission }: Undecided,
  giveUpAfterMs: number,
): Failure {
  const time = inWords(giveUpAfterMs)
  if (last.kind === 'unreadable') return unreadable
  if (submission) {
    return createFailure(
      'NO_VERDICT_IN_TIME',
      `The tax authority's platform received the invoice but made no decision within ${time} (${describe(last)}).`,
      last,
    )
  }
  return createFailure(
    toFailureCode(last),
    `The tax authority's platform did not accept the invoice within ${time} (${describe(last)}).`,
    last,
  )
}

export function toRejectionFailure(last: Reply): Failure {
  return createFailure(
    'SUBMISSION_REFUSED',
    `The tax authority's platform does not accept the submission of this invoice (${describe(last)}).`,
    last,
  )
}

const unreadable: Failure = {
  errorCode: 'DOCUMENT_UNREADABLE',
  errorMessage:
    "The signed document cannot be read, and the tax authority's platform reports no decision. Once the operator of this service has restored it, send it again with POST /v1/invoices/:id/resubmit: the platform is queried first, so no invoice is cleared twice.",
}

function createFailure(errorCode: FailureCode, happened: string, last: Reply): Failure {
  const todo = last.kind === 'foreign' ? foreignRemedy : remedy
  return { errorCode, errorMessage: `${happened} ${todo}` }
}

const remedy =
  'Send it again with POST /v1/invoices/:id/resubmit: the platform is queried first, so no invoice is cleared twice.'

const foreignRemedy =
  'Sending it again gives the same result: ask the tax authority about that submission first.'

function toFailureCode({ kind }: Reply): FailureCode {
  if (kind === 'throttled') return 'AUTHORITY_BUSY'
  if (kind === 'misconfigured') return 'CREDENTIALS_REFUSED'
  if (kind === 'refused' || kind === 'duplicate') return 'SUBMISSION_REFUSED'
  return 'AUTHORITY_UNREACHABLE'
}

function describe(last: Reply): string {
  switch (last.kind) {
    case 'held':
      return `last: ${last.reason}`
    case 'unclear':
      return `last: ${last.publicReason ?? last.reason}`
    case 'throttled':
      return 'last: HTTP 429, too many requests'
    case 'misconfigured':
      return `last: HTTP ${last.status}`
    case 'duplicate':
    case 'refused':
      return `last: HTTP ${last.status} ${excerpt(last.raw)}`.trimEnd()
    case 'foreign':
      return `it holds another document under this invoice's id, submission ${last.submissionId}`
    default:
      return `last: ${last.kind}`
  }
}

const excerptLength = 300

/** The invoice's owner gets the platform's own message, not an error page. */
function excerpt(raw: string): string {
  return raw.trimStart().startsWith('<') ? '' : raw.replace(/\s+/g, ' ').slice(0, excerptLength)
}

function inWords(ms: number): string {
  const seconds = Math.round(ms / 1000)
  if (seconds % 3600 === 0) return `${seconds / 3600} h`
  return seconds % 60 === 0 ? `${seconds / 60} min` : `${seconds} s`
}
