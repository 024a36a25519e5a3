import { limits } from '@einvoicing/domain/limits'
import { createValidationError } from '@einvoicing/domain/validation-error'
import type { Call } from '@einvoicing/rpc/call'
import type {
  ConfirmTotpRequest,
  NewTotp,
  RecoveryCodes,
  SecondFactorChange,
  SecondFactors as ShownFactors,
  UserId,
} from '@einvoicing/proto/organizations'
import type { Deps } from '../deps'
import { changeOwnFactors, findOwnUser } from './change'
import { isEnrolled, withoutIdleCodes } from './factors'
import { presentPasskey } from './own-passkeys'
import { createRecoveryCodes } from './recovery-codes'
import { createTotpSecret, findStep, toOtpauthUri } from './totp'

type ByCaller = Pick<Call, 'caller'>

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
  const user = await findOwnUser(deps, userId, { caller })
  const keys = await deps.factorKeys()
  const now = deps.now()
  const { codes, stored: recovery } = await createRecoveryCodes(deps)
  await changeOwnFactors(deps, { user, caller, noticed: { change: 'totp-added' } }, (before) => {
    const { newTotp: begun } = before
    if (!begun || Date.parse(begun.createdAt) + limits.totpSetUpMs <= now.getTime()) {
      throw codeError(
        'cannot be checked, because no new secret is waiting: start again with POST /dashboard/api/totp',
      )
    }
    const step = findStep(keys.open(begun.secret, userId), code, { now, lastStep: 0 })
    if (step === undefined) {
      throw codeError('is not the code that the app shows now: check the clock of the device')
    }
    const totp = { secret: begun.secret, lastStep: step }
    return {
      after: { ...before, newTotp: undefined, totp, recovery },
      action: 'second-factor.totp-added',
    }
  })
  return { codes }
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
  const user = await findOwnUser(deps, userId, { caller })
  const { codes, stored: recovery } = await createRecoveryCodes(deps)
  await changeOwnFactors(
    deps,
    { user, caller, noticed: { change: 'recovery-codes-renewed' } },
    (before) => {
      if (!isEnrolled(before)) {
        const message = 'needs a second factor first: an authenticator app or a passkey'
        throw createValidationError([{ field: 'recoveryCodes', message }])
      }
      return {
        after: { ...before, recovery },
        action: 'second-factor.recovery-codes-renewed',
      }
    },
  )
  return { codes }
}

function codeError(message: string) {
  return createValidationError([{ field: 'code', message }])
}
