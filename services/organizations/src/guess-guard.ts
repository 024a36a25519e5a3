/**
 * Bounds guesses of what only a right guess finds out: a one-time token, and whether an email is
 * taken. From one address, for nothing else is known of who guesses.
 */

import { clientNetwork } from '@einvoicing/access/client-network'
import { limits } from '@einvoicing/domain/limits'
import { tooManyAttempts } from '@einvoicing/domain/account-errors'
import type { OrganizationStore } from './store/store'

/** Throws `TOO_MANY_ATTEMPTS`; answers what to call when it was no guess after all. */
export type GuessGuard = (clientAddress: string) => Promise<() => Promise<void>>

export function createGuessGuard(
  store: Pick<OrganizationStore, 'countAttempts'>,
  name: string,
): GuessGuard {
  const { wrongGuesses: max, wrongPasswordsWindowMs: windowMs } = limits
  const byNetwork = store.countAttempts({ name, windowMs })
  return async (clientAddress) => {
    const network = clientNetwork(clientAddress)
    const { count, waitMs } = await byNetwork.count(network)
    if (count > max) throw tooManyAttempts(waitMs)
    return () => byNetwork.forgive(network)
  }
}
