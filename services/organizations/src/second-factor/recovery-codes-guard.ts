import { tooManyAttempts } from '@einvoicing/domain/account-errors'
import { limits } from '@einvoicing/domain/limits'
import type { OrganizationStore } from '../store/store'

/** Throws `TOO_MANY_ATTEMPTS`: sign-in waits for the same hashes, ten for each set of codes. */
export type RecoveryCodesGuard = (userId: string) => Promise<void>

export function createRecoveryCodesGuard(
  store: Pick<OrganizationStore, 'countAttempts'>,
): RecoveryCodesGuard {
  const { wrongPasswordsWindowMs: windowMs, recoveryCodeSets: max } = limits
  const byUser = store.countAttempts({ name: 'recovery-codes-user', windowMs })
  return async (userId) => {
    const { count, waitMs } = await byUser.count(userId)
    if (count > max) throw tooManyAttempts(waitMs)
  }
}
