/**
 * Bounds sign-ups from one address: each costs a password hash, an organization, and tells whether
 * an email is taken.
 */

import { clientNetwork } from '@einvoicing/kernel/client-network'
import type { Clock } from '@einvoicing/kernel/clock'
import { limits } from '@einvoicing/kernel/limits'
import { Attempts, takeAttempt } from './attempts'

/** Counts a sign-up; throws `TOO_MANY_ATTEMPTS`. */
export type SignUpGuard = (clientAddress: string) => void

export function createSignUpGuard(now: Clock): SignUpGuard {
  const byNetwork = new Attempts({ max: limits.signUpsPerMinute, windowMs: 60_000 }, now)
  return (clientAddress) => {
    takeAttempt([[byNetwork, clientNetwork(clientAddress)]])
  }
}
