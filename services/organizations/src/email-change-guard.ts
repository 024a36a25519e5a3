import { tooManyAttempts } from '@einvoicing/domain/account-errors'
import { limits } from '@einvoicing/domain/limits'
import type { OrganizationStore } from './store/store'

/** Throws `TOO_MANY_ATTEMPTS`: each change sends a message to an address that the user chooses. */
export type EmailChangeGuard = (userId: string, newEmail: string) => Promise<void>

export function createEmailChangeGuard(
  store: Pick<OrganizationStore, 'countAttempts'>,
): EmailChangeGuard {
  const { wrongPasswordsWindowMs: windowMs, emailChanges: max } = limits
  const byUser = store.countAttempts({ name: 'email-change-user', windowMs })
  const byEmail = store.countAttempts({ name: 'email-change-email', windowMs })
  return async (userId, newEmail) => {
    for (const { count, waitMs } of [await byUser.count(userId), await byEmail.count(newEmail)]) {
      if (count > max) throw tooManyAttempts(waitMs)
    }
  }
}
