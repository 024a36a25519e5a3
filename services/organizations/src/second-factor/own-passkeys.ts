import { passkeyNotFound } from '@einvoicing/domain/account-errors'
import { limits } from '@einvoicing/domain/limits'
import { createValidationError } from '@einvoicing/domain/validation-error'
import type {
  AddedPasskey,
  AddPasskeyRequest,
  Passkey,
  PasskeyOptions,
  PasskeyPlace,
  RemovePasskeyRequest,
  RenamePasskeyRequest,
} from '@einvoicing/proto/organizations'
import type { ByCaller, Deps } from '../deps'
import { atMost, checkFieldErrors, findFirstError, notBlank, printable } from '../text-rules'
import { changeOwnFactors, findConfirmedUser, findOwnUser } from './change'
import { useToken, withoutIdleCodes, type SecondFactors, type StoredPasskey } from './factors'
import { offerRegistration, verifyRegistration } from './passkeys'
import { createRecoveryCodes } from './recovery-codes'

// Not of the session: a confirmation in between gives it another id.
const purposeFor = (userId: string) => `passkey of user ${userId}`

export async function offerPasskey(
  deps: Deps,
  { userId = '', origin }: PasskeyPlace,
  { caller }: ByCaller,
): Promise<PasskeyOptions> {
  const user = await findOwnUser(deps, userId, { caller })
  const factors = await deps.store.findSecondFactors(userId)
  const place = { purpose: purposeFor(userId), origin }
  return { options: await offerRegistration(deps, { user, factors }, place) }
}

/** Throws `CONFIRMATION_REQUIRED`, `VALIDATION_ERROR`. */
export async function addPasskey(
  deps: Deps,
  { userId, passkey: answer, origin, ...request }: AddPasskeyRequest,
  { caller }: ByCaller,
): Promise<AddedPasskey> {
  const name = readName(request.name)
  const user = await findConfirmedUser(deps, userId, { caller })
  const now = deps.now()
  const answered = { answer, origin, now, purpose: purposeFor(userId) }
  const verified = await verifyRegistration(await deps.factorKeys(), answered)
  if (!verified) throw passkeyError('was not made for this page and session: try again')
  const { challenge } = verified
  const passkey = { id: deps.newId(), name, ...verified.passkey }
  // Sign-in waits for the same hashes: a passkey that is not added must cost none.
  const expected = withPasskey(await deps.store.findSecondFactors(userId), {
    passkey,
    challenge,
    now,
  })
  const made = expected.recovery ? undefined : await createRecoveryCodes(deps, userId)
  const shown: { codes: string[] } = { codes: [] }
  const noticed = { change: 'passkey-added', name } as const
  await changeOwnFactors(deps, { user, caller, noticed }, (before) => {
    const added = withPasskey(before, { passkey, challenge, now })
    const recovery = added.recovery ?? made?.stored
    if (!recovery)
      throw passkeyError('was not added, because the second factor was removed: try again')
    shown.codes = added.recovery ? [] : (made?.codes ?? [])
    return {
      after: { ...added, recovery },
      action: 'second-factor.passkey-added',
      detail: `${user.email}: ${name}`,
    }
  })
  return { passkey: presentPasskey(passkey), recoveryCodes: shown.codes }
}

function withPasskey(
  before: SecondFactors,
  { passkey, challenge, now }: { passkey: StoredPasskey; challenge: string; now: Date },
): SecondFactors {
  const time = { now: now.getTime(), lifetimeMs: limits.secondFactorLifetimeMs }
  const used = useToken(before, challenge, time)
  if (!used) throw passkeyError('has already been added')
  const { passkeys } = used
  if (passkeys.some(({ credentialId }) => credentialId === passkey.credentialId)) {
    throw passkeyError('has already been added')
  }
  if (passkeys.length >= limits.passkeysPerUser) {
    throw passkeyError(`is one too many: remove one of the ${limits.passkeysPerUser} first`)
  }
  return { ...used, passkeys: [...passkeys, passkey] }
}

/** Throws `PASSKEY_NOT_FOUND`, `VALIDATION_ERROR`, `CONFIRMATION_REQUIRED`. */
export async function renamePasskey(
  deps: Deps,
  { userId, passkeyId, name: typed }: RenamePasskeyRequest,
  { caller }: ByCaller,
): Promise<Passkey> {
  const name = readName(typed)
  const user = await findOwnUser(deps, userId, { caller })
  let renamed: StoredPasskey | undefined
  await changeOwnFactors(deps, { user, caller }, (before) => {
    const stored = find(before.passkeys, passkeyId)
    const changed = { ...stored, name }
    renamed = changed
    const passkeys = before.passkeys.map((one) => (one === stored ? changed : one))
    const detail = `${user.email}: ${stored.name} → ${name}`
    return { after: { ...before, passkeys }, action: 'second-factor.passkey-renamed', detail }
  })
  return presentPasskey(renamed ?? fail())
}

/** Throws `PASSKEY_NOT_FOUND`, `CONFIRMATION_REQUIRED`. */
export async function removePasskey(
  deps: Deps,
  { userId, passkeyId }: RemovePasskeyRequest,
  { caller }: ByCaller,
): Promise<void> {
  const user = await findOwnUser(deps, userId, { caller })
  const { passkeys: all } = await deps.store.findSecondFactors(userId)
  const noticed = { change: 'passkey-removed', name: find(all, passkeyId).name } as const
  await changeOwnFactors(deps, { user, caller, noticed }, (before) => {
    const { id, name } = find(before.passkeys, passkeyId)
    const passkeys = before.passkeys.filter((one) => one.id !== id)
    return {
      after: withoutIdleCodes({ ...before, passkeys }),
      action: 'second-factor.passkey-removed',
      detail: `${user.email}: ${name}`,
    }
  })
}

export function presentPasskey({ id, name, createdAt, lastUsedAt }: StoredPasskey): Passkey {
  return { id, name, createdAt, lastUsedAt }
}

function find(passkeys: readonly StoredPasskey[], id: string): StoredPasskey {
  const found = passkeys.find((one) => one.id === id)
  if (!found) throw passkeyNotFound()
  return found
}

function readName(typed: string): string {
  const name = typed.trim()
  const rules = [notBlank, printable, atMost(limits.passkeyNameLength)]
  checkFieldErrors({ name: findFirstError(name, rules) })
  return name
}

function passkeyError(message: string) {
  return createValidationError([{ field: 'passkey', message }])
}

function fail(): never {
  throw new Error('a passkey was renamed without its transaction')
}
