/**
 * The faults the platform can show on request, and when one strikes.
 *
 * A fault strikes before the request is processed, so that nothing was kept, or after, so that only
 * the answer is wrong.
 */

import type { Behaviour, RateName } from './behaviour'
import type { Dice } from './dice'

export interface Fault {
  strikes: 'before' | 'after'
  /**
   * What is sent instead of the answer; `cut` closes the connection without one, `late` sends the
   * right one late.
   */
  answer: FaultAnswer | 'html' | 'cut' | 'late'
}

export interface FaultAnswer {
  status: number
  code: string
  message: string
  retryAfter?: true
}

export const faults = {
  unauthorized: before(401, 'UNAUTHORIZED', 'The credentials were refused.'),
  tooLarge: before(413, 'PAYLOAD_TOO_LARGE', 'The document is too large.'),
  rateLimited: withRetryAfter(before(429, 'RATE_LIMITED', 'Too many requests: come back later.')),
  internalError: before(500, 'INTERNAL_ERROR', 'The platform failed.'),
  badGateway: before(502, 'BAD_GATEWAY', 'The platform is out of reach.'),
  unavailable: withRetryAfter(before(503, 'UNAVAILABLE', 'The platform is under maintenance.')),
  gatewayTimeout: before(504, 'GATEWAY_TIMEOUT', 'The platform did not answer in time.'),
  html: { strikes: 'before', answer: 'html' },
  cut: { strikes: 'before', answer: 'cut' },
  slow: { strikes: 'after', answer: 'late' },
  lostAnswer: { strikes: 'after', answer: 'cut' },
  alreadyReported: after(409, 'ALREADY_REPORTED', 'This invoice was already reported.'),
  duplicate: after(422, 'DUPLICATE', 'This invoice is a duplicate of one already reported.'),
} as const satisfies Record<string, Fault>

export type FaultName = keyof typeof faults

interface AnswerFault extends Fault {
  answer: FaultAnswer
}

function before(status: number, code: string, message: string): AnswerFault {
  return { strikes: 'before', answer: { status, code, message } }
}

function after(status: number, code: string, message: string): AnswerFault {
  return { strikes: 'after', answer: { status, code, message } }
}

function withRetryAfter({ strikes, answer }: AnswerFault): AnswerFault {
  return { strikes, answer: { ...answer, retryAfter: true } }
}

const serverErrors = ['internalError', 'badGateway', 'unavailable', 'gatewayTimeout'] as const

// Status reads have nothing to report twice and no body to be too large.
const onlyForSubmissions: readonly FaultName[] = ['tooLarge', 'alreadyReported', 'duplicate']

/**
 * Draws once per rate above zero, in the order of `faults`, `errorRate` first; the first hit
 * strikes.
 */
export function drawFault(
  behaviour: Behaviour,
  dice: Dice,
  request: 'submission' | 'read',
): FaultName | undefined {
  if (hits(behaviour.errorRate, dice)) {
    return serverErrors[Math.floor(dice() * serverErrors.length)]
  }
  return (Object.keys(faults) as FaultName[]).find((name) => {
    if (request === 'read' && onlyForSubmissions.includes(name)) return false
    const rateName: RateName = `${name}Rate`
    return hits(behaviour[rateName], dice)
  })
}

const hits = (rate: number, dice: Dice): boolean => rate > 0 && dice() < rate
