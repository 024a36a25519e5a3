/**
 * Bounds wrong passwords.
 *
 * The tight bound is on one email from one address, so that a stranger who guesses locks himself
 * out and not the owner; wider ones stop an address that tries many emails, and many addresses that
 * try one email.
 */

import { clientNetwork } from '@einvoicing/kernel/client-network'
import type { Clock } from '@einvoicing/kernel/clock'
import { limits } from '@einvoicing/kernel/limits'
import { Attempts, takeAttempt } from './attempts'

/**
 * Counts an attempt before its password is looked at, so that a hundred at once are not all looked
 * at. Throws `TOO_MANY_ATTEMPTS`; answers what to call when the password was right.
 */
export type SignInGuard = (email: string, clientAddress: string) => () => void

export function createSignInGuard(now: Clock): SignInGuard {
  const { wrongPasswords, wrongPasswordsSpread, wrongPasswordsWindowMs: windowMs } = limits
  const byBoth = new Attempts({ max: wrongPasswords, windowMs }, now)
  const byEmail = new Attempts({ max: wrongPasswordsSpread, windowMs }, now)
  const byNetwork = new Attempts({ max: wrongPasswordsSpread, windowMs }, now)

  return (email, clientAddress) => {
    const network = clientNetwork(clientAddress)
    const limited = [
      [byBoth, `${network} ${email}`],
      [byEmail, email],
      [byNetwork, network],
    ] as const
    takeAttempt(limited)
    return () => {
      for (const [attempts, key] of limited) attempts.forgive(key)
    }
  }
}
