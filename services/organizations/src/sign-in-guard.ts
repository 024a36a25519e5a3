/**
 * Limits wrong passwords, without letting anyone lock a user out. The tight limit is by email and
 * network; wider ones stop a network that tries many emails, and many networks that try one email.
 * From a network that the user signed in from before, a right password is accepted past all of
 * them, up to `passwordsFromKnownNetwork`; a wrong one gets the same answer as elsewhere, so that
 * the answer does not reveal the user's networks.
 */

import { clientNetwork } from '@einvoicing/access/client-network'
import { limits } from '@einvoicing/domain/limits'
import { tooManyAttempts } from '@einvoicing/domain/account-errors'
import type { AttemptCounter, Attempts } from './store/attempt-counter'
import type { OrganizationStore } from './store/store'

export interface Attempt {
  email: string
  clientAddress: string
  knownNetworks: readonly string[]
}

export interface CountedAttempt {
  /** Set when the limits are reached; a right password is accepted all the same. */
  limitedMs: number | undefined
  /** The password was right, or not checked. */
  forgive(): Promise<void>
}

/**
 * Counts an attempt before its password is checked, so that a hundred at once are not all checked.
 * Throws `TOO_MANY_ATTEMPTS`.
 */
export type SignInGuard = (attempt: Attempt) => Promise<CountedAttempt>

export function createSignInGuard(store: Pick<OrganizationStore, 'countAttempts'>): SignInGuard {
  const { wrongPasswordsWindowMs: windowMs } = limits
  const byBoth = store.countAttempts({ name: 'password', windowMs })
  const byNetwork = store.countAttempts({ name: 'password-network', windowMs })
  const byEmail = store.countAttempts({ name: 'password-email', windowMs })

  return async ({ email, clientAddress, knownNetworks }) => {
    const network = clientNetwork(clientAddress)
    const isKnown = knownNetworks.includes(network)
    const attempt = new Counting()
    const both = await attempt.count(byBoth, `${network} ${email}`, limits.wrongPasswords)
    // A limited attempt must not use up what others may try.
    if (!attempt.isLimited) {
      await attempt.count(byNetwork, network, limits.wrongPasswordsOfNetwork)
    }
    if (!attempt.isLimited && !isKnown) {
      await attempt.count(byEmail, email, limits.wrongPasswordsSpread)
    }
    const isLookedAt = isKnown && both.count <= limits.passwordsFromKnownNetwork
    if (attempt.isLimited && !isLookedAt) throw tooManyAttempts(attempt.limitedMs ?? 0)
    return attempt
  }
}

class Counting implements CountedAttempt {
  limitedMs: number | undefined
  private readonly counted: [AttemptCounter, string][] = []

  get isLimited(): boolean {
    return this.limitedMs !== undefined
  }

  async count(counter: AttemptCounter, key: string, max: number): Promise<Attempts> {
    const attempts = await counter.count(key)
    this.counted.push([counter, key])
    if (attempts.count > max) this.limitedMs = attempts.waitMs
    return attempts
  }

  async forgive(): Promise<void> {
    await Promise.all(this.counted.map(([counter, key]) => counter.forgive(key)))
  }
}
