/** A signed token for a right password: with the second factor it opens a session, once. */

import { limits } from '@einvoicing/domain/limits'
import type { Deps } from '../deps'
import type { User } from '../store/store'
import type { SecondFactors } from './factors'
import { offerAuthentication } from './passkeys'

const purpose = 'half-open session'

export interface HalfOpen {
  organizationId: string
  userId: string
  passwordVersion: number
}

type HalfOpenDeps = Pick<Deps, 'factorKeys' | 'now' | 'randomBytes'>

export async function openHalf(
  deps: HalfOpenDeps,
  { id, organizationId, passwordVersion }: User,
): Promise<string> {
  const nonce = Buffer.from(deps.randomBytes(16)).toString('base64url')
  const content = JSON.stringify([organizationId, id, passwordVersion, nonce])
  const expiresAt = deps.now().getTime() + limits.secondFactorLifetimeMs
  return (await deps.factorKeys()).sign(purpose, Buffer.from(content), expiresAt)
}

export async function readHalf(
  { factorKeys, now }: Pick<Deps, 'factorKeys' | 'now'>,
  token: string,
): Promise<HalfOpen | undefined> {
  const content = (await factorKeys()).verify(purpose, token, now().getTime())
  if (!content) return undefined
  const [organizationId, userId, passwordVersion] = JSON.parse(content.toString()) as [
    string,
    string,
    number,
  ]
  return { organizationId, userId, passwordVersion }
}

export function passkeyPurpose(token: string): string {
  return `second factor of ${token}`
}

/** JSON; `undefined` for a user without passkeys of this domain. */
export async function offerHalf(
  deps: HalfOpenDeps,
  { token, origin }: { token: string; origin: string },
  factors: SecondFactors,
): Promise<string | undefined> {
  if (factors.passkeys.length === 0) return undefined
  return offerAuthentication(deps, { purpose: passkeyPurpose(token), origin }, factors)
}

export function listFactors({ totp, passkeys, recovery }: SecondFactors): string[] {
  return [
    ...(totp ? ['totp'] : []),
    ...(passkeys.length > 0 ? ['passkey'] : []),
    ...(recovery && recovery.hashes.length > 0 ? ['recovery'] : []),
  ]
}
