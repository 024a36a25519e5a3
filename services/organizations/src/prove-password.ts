import { clientNetwork } from '@einvoicing/access/client-network'
import type { ApiError } from '@einvoicing/domain/api-error'
import { tooManyAttempts } from '@einvoicing/domain/account-errors'
import type { Deps } from './deps'
import { noteFailures, type Proving } from './note-failures'

export interface PasswordClaim extends Proving {
  email: string
  password: string
}

type ProofDeps = Pick<Deps, 'signInGuard' | 'passwords' | 'failedSignIns' | 'log'>

/** Throws `TOO_MANY_ATTEMPTS`, and `wrong()`: after the same work for an unknown user too. */
export async function provePassword(
  deps: ProofDeps,
  claim: PasswordClaim,
  wrong: () => ApiError,
): Promise<void> {
  await noteFailures(deps, claim, () => comparePassword(deps, claim, wrong))
}

async function comparePassword(
  { signInGuard, passwords }: ProofDeps,
  { email, user, password, clientAddress }: PasswordClaim,
  wrong: () => ApiError,
): Promise<void> {
  const { knownNetworks = [], passwordHash } = user ?? {}
  const lane = clientNetwork(clientAddress)
  const attempt = await signInGuard({ email, clientAddress, knownNetworks })
  let isWrong = false
  try {
    isWrong = !(await passwords.matches(password, passwordHash, lane))
  } finally {
    if (!isWrong) await attempt.forgive()
  }
  if (!isWrong) return
  throw attempt.limitedMs === undefined ? wrong() : tooManyAttempts(attempt.limitedMs)
}
