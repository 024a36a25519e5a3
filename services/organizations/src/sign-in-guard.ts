/**
 * Limits wrong passwords by email and network, by email, and by network. A right password from a
 * network of the user is accepted past these limits, so that no one else can lock the user out; a
 * wrong one is answered as elsewhere, so that the answer does not reveal these networks. All
 * passwords by email and network, right or wrong, have a limit of their own.
 */

import { clientNetwork } from '@einvoicing/access/client-network'
import { limits } from '@einvoicing/domain/limits'
import { tooManyAttempts } from '@einvoicing/domain/account-errors'
import type { AttemptCounter } from './store/attempt-counter'
import type { OrganizationStore } from './store/store'

export interface Attempt {
  email: string
  clientAddress: string
  knownNetworks: readonly string[]
}

export interface CountedAttempt {
  /** Set over the limits; a right password is accepted even then. */
  limitedMs: number | undefined
  forgive(): Promise<void>
}

/** Counted before the password is checked: a hundred at once are not all checked. */
export type SignInGuard = (attempt: Attempt) => Promise<CountedAttempt>

export function createSignInGuard(store: Pick<OrganizationStore, 'countAttempts'>): SignInGuard {
  const { wrongPasswordsWindowMs: windowMs } = limits
  const checked = store.countAttempts({ name: 'password-checked', windowMs })
  const byBoth = store.countAttempts({ name: 'password', windowMs })
  const byNetwork = store.countAttempts({ name: 'password-network', windowMs })
  const byEmail = store.countAttempts({ name: 'password-email', windowMs })

  return async ({ email, clientAddress, knownNetworks }) => {
    const network = clientNetwork(clientAddress)
    const isKnown = knownNetworks.includes(network)
    const both = `${network} ${email}`
    // Right ones too, and before any other count: each costs a hash.
    const { count, waitMs } = await checked.count(both)
    if (count > limits.passwordsChecked) throw tooManyAttempts(waitMs)
    const attempt = new Counting()
    await attempt.count(byBoth, both, limits.wrongPasswords)
    // An attempt over the limit must not count against others.
    if (!attempt.isLimited) {
      await attempt.count(byNetwork, network, limits.wrongPasswordsOfNetwork)
    }
    if (!attempt.isLimited && !isKnown) {
      await attempt.count(byEmail, email, limits.wrongPasswordsSpread)
    }
    if (attempt.isLimited && !isKnown) throw tooManyAttempts(attempt.limitedMs ?? 0)
    return attempt
  }
}

class Counting implements CountedAttempt {
  limitedMs: number | undefined
  private readonly counted: [AttemptCounter, string][] = []

  get isLimited(): boolean {
    return this.limitedMs !== undefined
  }

  async count(counter: AttemptCounter, key: string, max: number): Promise<void> {
    const attempts = await counter.count(key)
    this.counted.push([counter, key])
    if (attempts.count > max) this.limitedMs = attempts.waitMs
  }

  async forgive(): Promise<void> {
    await Promise.all(this.counted.map(([counter, key]) => counter.forgive(key)))
  }
}
