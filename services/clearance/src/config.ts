import type { EnvReader } from '@einvoicing/runtime/env'
import type { BreakerOptions } from './authority/breaker'
import { defaultPace, type Pace } from './pace'

export interface ClearanceConfig {
  url: string
  /** After this a technical failure is final. */
  giveUpAfterMs: number
  requestDeadlineMs: number
  inFlightMax: number
  pace: Pace
  breaker: BreakerOptions
}

const daySeconds = 86_400

/** `simulatorUrl` is the default of `CLEARANCE_URL`. */
export function readClearanceConfig(env: EnvReader, simulatorUrl: string): ClearanceConfig {
  const giveUpAfterSeconds = env.integer('CLEARANCE_GIVE_UP_AFTER_SECONDS', daySeconds, {
    min: 1,
    max: 30 * daySeconds,
  })
  return {
    url: readUrl(env) ?? simulatorUrl,
    giveUpAfterMs: giveUpAfterSeconds * 1000,
    requestDeadlineMs: env.integer('CLEARANCE_REQUEST_TIMEOUT_MS', 10_000, {
      min: 100,
      max: 60_000,
    }),
    inFlightMax: env.integer('CLEARANCE_IN_FLIGHT_MAX', 32, { min: 1, max: 512 }),
    pace: defaultPace,
    breaker: { failingInvoicesMax: 10, openMs: 5_000 },
  }
}

function readUrl(env: EnvReader): string | undefined {
  const url = env.optionalUrl('CLEARANCE_URL', ['http', 'https'])
  // The value is not logged: it may hold a password.
  if (url?.includes('@'))
    env.addError('CLEARANCE_URL must not contain a user or password', undefined)
  return url
}
