/**
 * Bounds sign-ups from one address: each costs a password hash, an organization, and tells whether
 * an email is taken.
 */

import { clientNetwork } from '@einvoicing/access/client-network'
import { limits } from '@einvoicing/domain/limits'
import { tooManyAttempts } from '@einvoicing/domain/account-errors'
import type { OrganizationStore } from './store/store'

/** Counts a sign-up; throws `TOO_MANY_ATTEMPTS`. */
export type SignUpGuard = (clientAddress: string) => Promise<void>

export function createSignUpGuard(store: Pick<OrganizationStore, 'countAttempts'>): SignUpGuard {
  const byNetwork = store.countAttempts({ name: 'sign-up', windowMs: 60_000 })
  return async (clientAddress) => {
    const { count, waitMs } = await byNetwork.count(clientNetwork(clientAddress))
    if (count > limits.signUpsPerMinute) throw tooManyAttempts(waitMs)
  }
}
