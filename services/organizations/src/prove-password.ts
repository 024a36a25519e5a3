import { clientNetwork } from '@einvoicing/access/client-network'
import type { ApiError } from '@einvoicing/domain/api-error'
import { tooManyAttempts } from '@einvoicing/domain/account-errors'
import type { Deps } from './deps'
import type { Attempt } from './sign-in-guard'

export interface PasswordClaim extends Attempt {
  password: string
  /** Absent for an unknown user: the same work, and always wrong. */
  passwordHash: string | undefined
}

/** Throws `TOO_MANY_ATTEMPTS`, and `wrong()` for a wrong password. */
export async function provePassword(
  { signInGuard, passwords }: Pick<Deps, 'signInGuard' | 'passwords'>,
  { password, passwordHash, ...claimed }: PasswordClaim,
  wrong: () => ApiError,
): Promise<void> {
  const lane = clientNetwork(claimed.clientAddress)
  const attempt = await signInGuard(claimed)
  let isWrong = false
  try {
    isWrong = !(await passwords.matches(password, passwordHash, lane))
  } finally {
    if (!isWrong) await attempt.forgive()
  }
  if (!isWrong) return
  throw attempt.limitedMs === undefined ? wrong() : tooManyAttempts(attempt.limitedMs)
}
