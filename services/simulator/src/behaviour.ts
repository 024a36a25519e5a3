/** In memory only: a restart restores the defaults. */

import { platformLimits } from './limits'

export const defaultBehaviour = {
  /** From receipt to the decision. */
  latencyMs: 200,
  answerLatencyMs: 0,
  errorRate: 0,
  internalErrorRate: 0,
  badGatewayRate: 0,
  unavailableRate: 0,
  gatewayTimeoutRate: 0,
  unauthorizedRate: 0,
  tooLargeRate: 0,
  rateLimitedRate: 0,
  retryAfterSeconds: 1,
  htmlRate: 0,
  cutRate: 0,
  slowRate: 0,
  slowAnswerMs: 5_000,
  lostAnswerRate: 0,
  alreadyReportedRate: 0,
  duplicateRate: 0,
  /** These are of the time-stamp authority. */
  tsaLatencyMs: 0,
  tsaErrorRate: 0,
  tsaCutRate: 0,
  tsaRejectionRate: 0,
  tsaWrongImprintRate: 0,
  tsaWrongNonceRate: 0,
  tsaOldTimeRate: 0,
  tsaUntrustedRate: 0,
  tsaWrongUsageRate: 0,
  /** Repeats the same draws; `null` draws at random. */
  seed: null as number | null,
}

export type Behaviour = typeof defaultBehaviour

export type RateName = Extract<keyof Behaviour, `${string}Rate`>

interface Bounds {
  min: number
  max: number
  integer: boolean
}

const delay: Bounds = { min: 0, max: platformLimits.delayMs, integer: true }
const rate: Bounds = { min: 0, max: 1, integer: false }

function findBounds(name: keyof Behaviour): Bounds {
  if (name === 'retryAfterSeconds') return { min: 0, max: 3_600, integer: true }
  if (name === 'seed') return { min: 0, max: 0xffff_ffff, integer: true }
  return name.endsWith('Rate') ? rate : delay
}

export class InvalidBehaviour extends Error {
  override readonly name = 'InvalidBehaviour'
}

/** Throws `InvalidBehaviour` naming every field error. */
export function mergeBehaviour(behaviour: Behaviour, patch: unknown): Behaviour {
  if (typeof patch !== 'object' || patch === null || Array.isArray(patch)) {
    throw new InvalidBehaviour('the body must be one flat JSON object')
  }
  const errors = Object.entries(patch).flatMap(([name, value]) => findFieldError(name, value) ?? [])
  if (errors.length > 0) throw new InvalidBehaviour(errors.join('; '))
  return { ...behaviour, ...patch }
}

function findFieldError(name: string, value: unknown): string | undefined {
  if (!isName(name))
    return `unknown name ${name}, known: ${Object.keys(defaultBehaviour).join(', ')}`
  if (name === 'seed' && value === null) return undefined
  const { min, max, integer } = findBounds(name)
  const fits = typeof value === 'number' && value >= min && value <= max
  if (fits && (!integer || Number.isInteger(value))) return undefined
  return `${name} must be ${integer ? 'an integer' : 'a number'} from ${min} to ${max}`
}

function isName(name: string): name is keyof Behaviour {
  return Object.hasOwn(defaultBehaviour, name)
}
