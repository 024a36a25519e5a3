import { tooManyAttempts } from '@einvoicing/domain/account-errors'
import { limits } from '@einvoicing/domain/limits'
import type { OrganizationStore } from './store/store'

/** False: this email got enough messages. Throws `TOO_MANY_ATTEMPTS` for the network. */
export type ResetGuard = (email: string, network: string) => Promise<boolean>

export function createResetGuard(
  store: Pick<OrganizationStore, 'countAttempts'>,
  kind: 'reset' | 'verification',
): ResetGuard {
  const { wrongPasswordsWindowMs: windowMs } = limits
  const byNetwork = store.countAttempts({ name: `${kind}-network`, windowMs })
  const byEmail = store.countAttempts({ name: `${kind}-email`, windowMs })
  return async (email, network) => {
    const ofNetwork = await byNetwork.count(network)
    if (ofNetwork.count > limits.passwordResetsOfNetwork) throw tooManyAttempts(ofNetwork.waitMs)
    const { count } = await byEmail.count(email)
    return count <= limits.passwordResetsOfEmail
  }
}
