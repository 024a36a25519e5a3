/** Compared within the transaction that does what the factor proves. */

import type { Deps } from '../deps'
import type { User } from '../store/store'
import type { SecondFactors } from './factors'
import { usePasskey, verifyAuthentication } from './passkeys'
import { hashRecoveryCode, spendCode } from './recovery-codes'
import { findStep } from './totp'

export interface FactorClaim {
  code?: string | undefined
  recoveryCode?: string | undefined
  passkey?: string | undefined
}

export interface ClaimedAt {
  clientAddress: string
  origin: string
  purpose: string
}

/** `undefined`: not proven. */
export type UseFactor = (before: SecondFactors) => SecondFactors | undefined

export interface PreparedProof {
  use: UseFactor
  name: 'code' | 'recovery code' | 'passkey'
  forgive(): Promise<void>
}

type ProofDeps = Pick<
  Deps,
  'store' | 'factorKeys' | 'passwords' | 'codeGuard' | 'tokenGuard' | 'now'
>

/** Throws `TOO_MANY_ATTEMPTS`. An empty claim proves nothing. */
export async function prepareProof(
  deps: ProofDeps,
  user: Pick<User, 'id' | 'knownNetworks'>,
  claim: FactorClaim & ClaimedAt,
): Promise<PreparedProof> {
  if (claim.code !== undefined) return prepareCode(deps, user, { ...claim, code: claim.code })
  // Neither can be guessed: the limit for codes does not apply.
  const forgive = await deps.tokenGuard(claim.clientAddress)
  const { store, factorKeys, now } = deps
  const factors = await store.findSecondFactors(user.id)
  if (claim.recoveryCode !== undefined) {
    const hash = await hashRecoveryCode(deps, factors, claim.recoveryCode)
    const use: UseFactor = (before) => (hash === undefined ? undefined : spendCode(before, hash))
    return { use, name: 'recovery code', forgive }
  }
  const { passkey: answer = '{}', purpose, origin } = claim
  const at = now()
  const answered = { answer, purpose, origin, now: at }
  const verified = await verifyAuthentication(await factorKeys(), factors, answered)
  const use: UseFactor = (before) => verified && usePasskey(before, verified, at)
  return { use, name: 'passkey', forgive }
}

async function prepareCode(
  { codeGuard, factorKeys, now }: ProofDeps,
  user: Pick<User, 'id' | 'knownNetworks'>,
  { code, clientAddress }: { code: string; clientAddress: string },
): Promise<PreparedProof> {
  const forgive = await codeGuard(user, clientAddress)
  const keys = await factorKeys()
  const at = now()
  const use: UseFactor = (before) => {
    const { totp } = before
    if (!totp) return undefined
    const secret = keys.open(totp.secret, user.id)
    const step = findStep(secret, code, { now: at, lastStep: totp.lastStep })
    return step === undefined ? undefined : { ...before, totp: { ...totp, lastStep: step } }
  }
  return { use, name: 'code', forgive }
}
