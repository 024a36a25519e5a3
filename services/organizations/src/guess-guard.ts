/**
 * Bounds guesses of what only a right guess finds out: the token of an invitation, and whether an
 * email is taken. From one address, for nothing else is known of who guesses.
 */

import { clientNetwork } from '@einvoicing/kernel/client-network'
import type { Clock } from '@einvoicing/kernel/clock'
import { limits } from '@einvoicing/kernel/limits'
import { Attempts, takeAttempt } from './attempts'

/** Throws `TOO_MANY_ATTEMPTS`; answers what to call when it was no guess after all. */
export type GuessGuard = (clientAddress: string) => () => void

export function createGuessGuard(now: Clock): GuessGuard {
  const { wrongGuesses: max, wrongPasswordsWindowMs: windowMs } = limits
  const byNetwork = new Attempts({ max, windowMs }, now)
  return (clientAddress) => {
    const network = clientNetwork(clientAddress)
    takeAttempt([[byNetwork, network]])
    return () => byNetwork.forgive(network)
  }
}
