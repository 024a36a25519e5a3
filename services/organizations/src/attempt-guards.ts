import { clientNetwork } from '@einvoicing/access/client-network'
import { tooManyAttempts } from '@einvoicing/domain/account-errors'
import { ApiError } from '@einvoicing/domain/api-error'
import { limits } from '@einvoicing/domain/limits'
import type { AttemptCounter } from './store/attempt-counter'
import type { OrganizationStore } from './store/store'

/** Throws `TOO_MANY_ATTEMPTS`; call the result when it was no wrong guess. */
export type AttemptGuard = (key: string) => Promise<() => Promise<void>>

export type AttemptGuards = ReturnType<typeof createAttemptGuards>

export function createAttemptGuards(store: Pick<OrganizationStore, 'countAttempts'>) {
  const { wrongGuesses, emailChanges, wrongCodes, recoveryCodeSets, signUpsPerMinute } = limits
  const guard = (name: string, max: number, windowMs: number = limits.wrongPasswordsWindowMs) =>
    createGuard(store.countAttempts({ name, windowMs }), max)
  return {
    /** By client address: a sign-up costs an estimate of the password's strength and a hash. */
    signUpGuard: byNetwork(guard('sign-up', signUpsPerMinute, 60_000)),
    /** By client address. */
    tokenGuard: byNetwork(guard('token', wrongGuesses)),
    /** By client address. */
    emailTakenGuard: byNetwork(guard('taken-email', wrongGuesses)),
    /** By user and by new email: each change sends a message to an address the user chooses. */
    emailChangeGuard: guard('email-change', emailChanges),
    /** By network and user, so that no other client can lock the user out. */
    recoveryCodeGuard: guard('recovery-code', wrongCodes),
    /** By user: sign-in waits for the same hashes, ten for each set of codes. */
    codeSetGuard: guard('recovery-codes-user', recoveryCodeSets),
  }
}

/** What `answer` throws stays counted: it may show whether an email has an account. */
export async function limitProbes<T>(
  emailTakenGuard: AttemptGuard,
  clientAddress: string,
  answer: () => Promise<T>,
): Promise<T> {
  const forgive = await emailTakenGuard(clientAddress)
  let isProbe = false
  try {
    return await answer()
  } catch (error) {
    isProbe = error instanceof ApiError && error.code !== 'SERVICE_UNAVAILABLE'
    throw error
  } finally {
    if (!isProbe) await forgive()
  }
}

function createGuard(counter: AttemptCounter, max: number): AttemptGuard {
  return async (key) => {
    const { count, waitMs } = await counter.count(key)
    if (count > max) throw tooManyAttempts(waitMs)
    return () => counter.forgive(key)
  }
}

/** Its key is a client address. */
function byNetwork(guard: AttemptGuard): AttemptGuard {
  return (clientAddress) => guard(clientNetwork(clientAddress))
}
