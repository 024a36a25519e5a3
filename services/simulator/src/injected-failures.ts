import type { Behaviour, RateName } from './behaviour'
import type { RandomSource } from './seeded-random'

export interface InjectedFailure {
  /** Before: nothing is stored. After: only the answer is wrong. */
  injected: 'before' | 'after'
  /** `cut` closes the connection without an answer, `late` delays the right one. */
  answer: FailureAnswer | 'html' | 'cut' | 'late'
}

export interface FailureAnswer {
  status: number
  code: string
  message: string
  retryAfter?: true
}

export const failures = {
  unauthorized: failBefore(401, 'UNAUTHORIZED', 'The credentials are invalid.'),
  tooLarge: failBefore(413, 'PAYLOAD_TOO_LARGE', 'The document is too large.'),
  rateLimited: withRetryAfter(
    failBefore(429, 'RATE_LIMITED', 'Too many requests: try again later.'),
  ),
  internalError: failBefore(500, 'INTERNAL_ERROR', 'The platform failed.'),
  badGateway: failBefore(502, 'BAD_GATEWAY', 'The platform is out of reach.'),
  unavailable: withRetryAfter(failBefore(503, 'UNAVAILABLE', 'The platform is under maintenance.')),
  gatewayTimeout: failBefore(504, 'GATEWAY_TIMEOUT', 'The platform did not answer in time.'),
  html: { injected: 'before', answer: 'html' },
  cut: { injected: 'before', answer: 'cut' },
  slow: { injected: 'after', answer: 'late' },
  lostAnswer: { injected: 'after', answer: 'cut' },
  alreadyReported: failAfter(409, 'ALREADY_REPORTED', 'This invoice was already reported.'),
  duplicate: failAfter(422, 'DUPLICATE', 'This invoice is a duplicate of one already reported.'),
} as const satisfies Record<string, InjectedFailure>

export type FailureName = keyof typeof failures

interface FailureWithAnswer extends InjectedFailure {
  answer: FailureAnswer
}

function failBefore(status: number, code: string, message: string): FailureWithAnswer {
  return { injected: 'before', answer: { status, code, message } }
}

function failAfter(status: number, code: string, message: string): FailureWithAnswer {
  return { injected: 'after', answer: { status, code, message } }
}

function withRetryAfter({ injected: strikes, answer }: FailureWithAnswer): FailureWithAnswer {
  return { injected: strikes, answer: { ...answer, retryAfter: true } }
}

const serverErrors = ['internalError', 'badGateway', 'unavailable', 'gatewayTimeout'] as const

// Reads have no duplicates and no body.
const onlyForSubmissions: readonly FailureName[] = ['tooLarge', 'alreadyReported', 'duplicate']

/** Draws once per rate above zero, `errorRate` first; the first hit is injected. */
export function drawFailure(
  behaviour: Behaviour,
  random: RandomSource,
  request: 'submission' | 'read',
): FailureName | undefined {
  if (isHit(behaviour.errorRate, random)) {
    return serverErrors[Math.floor(random() * serverErrors.length)]
  }
  return (Object.keys(failures) as FailureName[]).find((name) => {
    if (request === 'read' && onlyForSubmissions.includes(name)) return false
    const rateName: RateName = `${name}Rate`
    return isHit(behaviour[rateName], random)
  })
}

const isHit = (rate: number, random: RandomSource): boolean => rate > 0 && random() < rate
