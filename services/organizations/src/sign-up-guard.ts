/** A sign-up costs an estimate of the password's strength and a hash, and shows taken emails. */

import { clientNetwork } from '@einvoicing/access/client-network'
import { limits } from '@einvoicing/domain/limits'
import { tooManyAttempts } from '@einvoicing/domain/account-errors'
import type { OrganizationStore } from './store/store'

/** Throws `TOO_MANY_ATTEMPTS`. */
export type SignUpGuard = (clientAddress: string) => Promise<void>

export function createSignUpGuard(store: Pick<OrganizationStore, 'countAttempts'>): SignUpGuard {
  const byNetwork = store.countAttempts({ name: 'sign-up', windowMs: 60_000 })
  return async (clientAddress) => {
    const { count, waitMs } = await byNetwork.count(clientNetwork(clientAddress))
    if (count > limits.signUpsPerMinute) throw tooManyAttempts(waitMs)
  }
}
