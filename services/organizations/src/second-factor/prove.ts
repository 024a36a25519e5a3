/** Compared within the transaction that does what the factor proves. */

import { clientNetwork } from '@einvoicing/access/client-network'
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
  /** Absent: known to prove nothing, so nothing is written for it. */
  use: UseFactor | undefined
  name: 'code' | 'recovery code' | 'passkey'
  forgive(): Promise<void>
}

type ProofDeps = Pick<
  Deps,
  'store' | 'factorKeys' | 'passwords' | 'codeGuard' | 'recoveryCodeGuard' | 'now'
>

/** Throws `TOO_MANY_ATTEMPTS`. An empty claim proves nothing. */
export async function prepareProof(
  deps: ProofDeps,
  user: Pick<User, 'id' | 'knownNetworks'>,
  claim: FactorClaim & ClaimedAt,
): Promise<PreparedProof> {
  const { code, recoveryCode, passkey = '{}', clientAddress, ...place } = claim
  if (code !== undefined) return prepareCode(deps, user, { code, clientAddress })
  if (recoveryCode !== undefined) {
    return prepareRecoveryCode(deps, user, { recoveryCode, clientAddress })
  }
  return preparePasskey(deps, user, { ...place, passkey })
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

async function prepareRecoveryCode(
  deps: ProofDeps,
  { id }: Pick<User, 'id'>,
  { recoveryCode, clientAddress }: { recoveryCode: string; clientAddress: string },
): Promise<PreparedProof> {
  const network = clientNetwork(clientAddress)
  const forgive = await deps.recoveryCodeGuard(`${network} ${id}`)
  const typed = { typed: recoveryCode, network }
  const hash = await hashRecoveryCode(deps, await deps.store.findSecondFactors(id), typed)
  const use: UseFactor | undefined =
    hash === undefined ? undefined : (before) => spendCode(before, hash)
  return { use, name: 'recovery code', forgive }
}

/** Not counted: it cannot be guessed, and costs two reads without a challenge of ours. */
async function preparePasskey(
  { store, factorKeys, now }: ProofDeps,
  { id }: Pick<User, 'id'>,
  { passkey: answer, ...place }: { passkey: string; purpose: string; origin: string },
): Promise<PreparedProof> {
  const at = now()
  const factors = await store.findSecondFactors(id)
  const verified = await verifyAuthentication(await factorKeys(), factors, {
    answer,
    ...place,
    now: at,
  })
  const use: UseFactor | undefined = verified && ((before) => usePasskey(before, verified, at))
  return { use, name: 'passkey', forgive: async () => undefined }
}
