import { limits } from '@einvoicing/domain/limits'
import { createValidationError } from '@einvoicing/domain/validation-error'
import type {
  ConfirmTotpRequest,
  NewTotp,
  RecoveryCodes,
  SecondFactorChange,
  SecondFactors as ShownFactors,
  UserId,
} from '@einvoicing/proto/organizations'
import type { ByCaller, Deps } from '../deps'
import { changeOwnFactors, findConfirmedUser, findOwnUser } from './change'
import { isEnrolled, withoutIdleCodes, type SecondFactors } from './factors'
import type { FactorKeys } from './keys'
import { presentPasskey } from './own-passkeys'
import { createRecoveryCodes } from './recovery-codes'
import { createTotpSecret, findStep, toOtpauthUri } from './totp'

const issuer = 'Facturation électronique'

export async function getSecondFactors(
  deps: Deps,
  { userId }: UserId,
  { caller }: ByCaller,
): Promise<ShownFactors> {
  const { store } = deps
  const { organizationId } = await findOwnUser(deps, userId, { caller })
  const { totp, passkeys, recovery } = await store.findSecondFactors(userId)
  return {
    totp: totp !== undefined,
    passkeys: passkeys.map(presentPasskey),
    recoveryCodesLeft: recovery?.hashes.length ?? 0,
    required: await store.isSecondFactorRequired(organizationId),
  }
}

/** Throws `CONFIRMATION_REQUIRED`. */
export async function beginTotp(
  deps: Deps,
  { userId }: SecondFactorChange,
  { caller }: ByCaller,
): Promise<NewTotp> {
  const user = await findOwnUser(deps, userId, { caller })
  const secret = createTotpSecret(deps.randomBytes)
  const sealed = (await deps.factorKeys()).seal(secret, userId)
  const createdAt = deps.now().toISOString()
  await changeOwnFactors(deps, { user, caller }, (before) => ({
    after: { ...before, newTotp: { secret: sealed, createdAt } },
  }))
  return { secret, otpauthUri: toOtpauthUri(secret, { issuer, email: user.email }) }
}

/** Throws `CONFIRMATION_REQUIRED`, and `VALIDATION_ERROR` for the code. */
export async function confirmTotp(
  deps: Deps,
  { userId, code }: ConfirmTotpRequest,
  { caller }: ByCaller,
): Promise<RecoveryCodes> {
  const user = await findConfirmedUser(deps, userId, { caller })
  const proof = { userId, code, keys: await deps.factorKeys(), now: deps.now() }
  // Sign-in waits for the same hashes: a wrong code must cost none.
  proveNewTotp(await deps.store.findSecondFactors(userId), proof)
  const { codes, stored: recovery } = await createRecoveryCodes(deps, userId)
  await changeOwnFactors(deps, { user, caller, noticed: { change: 'totp-added' } }, (before) => {
    const totp = proveNewTotp(before, proof)
    return {
      after: { ...before, newTotp: undefined, totp, recovery },
      action: 'second-factor.totp-added',
    }
  })
  return { codes }
}

function proveNewTotp(
  { newTotp: begun }: SecondFactors,
  { userId, code, keys, now }: { userId: string; code: string; keys: FactorKeys; now: Date },
): NonNullable<SecondFactors['totp']> {
  if (!begun || Date.parse(begun.createdAt) + limits.totpSetUpMs <= now.getTime()) {
    throw codeError(
      'cannot be checked, because no new secret is waiting: start again with POST /dashboard/api/totp',
    )
  }
  const step = findStep(keys.open(begun.secret, userId), code, { now, lastStep: 0 })
  if (step === undefined) {
    throw codeError('is not the code that the app shows now: check the clock of the device')
  }
  return { secret: begun.secret, lastStep: step }
}

/** Succeeds when there is none. Throws `CONFIRMATION_REQUIRED`. */
export async function removeTotp(
  deps: Deps,
  { userId }: SecondFactorChange,
  { caller }: ByCaller,
): Promise<void> {
  const user = await findOwnUser(deps, userId, { caller })
  await changeOwnFactors(deps, { user, caller, noticed: { change: 'totp-removed' } }, (before) => {
    const after = withoutIdleCodes({ ...before, totp: undefined, newTotp: undefined })
    if (!before.totp) return { after }
    return { after, action: 'second-factor.totp-removed' }
  })
}

/** Throws `CONFIRMATION_REQUIRED`, and `VALIDATION_ERROR` without a second factor. */
export async function renewRecoveryCodes(
  deps: Deps,
  { userId }: SecondFactorChange,
  { caller }: ByCaller,
): Promise<RecoveryCodes> {
  const user = await findConfirmedUser(deps, userId, { caller })
  checkEnrolled(await deps.store.findSecondFactors(userId))
  const { codes, stored: recovery } = await createRecoveryCodes(deps, userId)
  const noticed = { change: 'recovery-codes-renewed' } as const
  await changeOwnFactors(deps, { user, caller, noticed }, (before) => {
    checkEnrolled(before)
    return { after: { ...before, recovery }, action: 'second-factor.recovery-codes-renewed' }
  })
  return { codes }
}

function checkEnrolled(factors: SecondFactors): void {
  if (isEnrolled(factors)) return
  const message = 'needs a second factor first: an authenticator app or a passkey'
  throw createValidationError([{ field: 'recoveryCodes', message }])
}

function codeError(message: string) {
  return createValidationError([{ field: 'code', message }])
}
