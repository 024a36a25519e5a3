/** Limits guesses of one-time tokens and of taken emails, by client address. */

import { clientNetwork } from '@einvoicing/access/client-network'
import { limits } from '@einvoicing/domain/limits'
import { tooManyAttempts } from '@einvoicing/domain/account-errors'
import type { OrganizationStore } from './store/store'

/** Throws `TOO_MANY_ATTEMPTS`; call the result when it was not a wrong guess. */
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
