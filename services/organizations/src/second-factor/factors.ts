/** What is stored of a user's second factors, as plain data, and its changes. */

import { createHash } from 'node:crypto'

export interface StoredPasskey {
  /** UUID. */
  id: string
  /** Of WebAuthn, base64url. */
  credentialId: string
  /** COSE, base64url. */
  publicKey: string
  counter: number
  transports: readonly string[]
  /** The domain that it was made for. */
  rpId: string
  name: string
  /** ISO 8601. */
  createdAt: string
  lastUsedAt?: string | undefined
}

export interface SecondFactors {
  /** `secret` is sealed; `lastStep` counts half minutes of Unix time: no older code is accepted. */
  totp?: { secret: string; lastStep: number } | undefined
  /** Not confirmed by a code yet. */
  newTotp?: { secret: string; createdAt: string } | undefined
  /** Argon2id of the codes that are left, under one salt. */
  recovery?: { salt: string; hashes: readonly string[] } | undefined
  passkeys: readonly StoredPasskey[]
  /** Digests of one-time tokens that were used, with the end of their time in milliseconds. */
  used: Readonly<Record<string, number>>
}

export const noFactors: SecondFactors = { passkeys: [], used: {} }

export function isEnrolled({ totp, passkeys }: SecondFactors): boolean {
  return totp !== undefined || passkeys.length > 0
}

/** Recovery codes end with the last factor that they stand in for. */
export function withoutIdleCodes(factors: SecondFactors): SecondFactors {
  return isEnrolled(factors) ? factors : { ...factors, recovery: undefined }
}

/** `undefined`: it was used before. */
export function useToken(
  factors: SecondFactors,
  token: string,
  { now, lifetimeMs }: { now: number; lifetimeMs: number },
): SecondFactors | undefined {
  const digest = createHash('sha256').update(token).digest('base64url')
  if (factors.used[digest] !== undefined) return undefined
  const valid = Object.entries(factors.used).filter(([, until]) => until > now)
  return { ...factors, used: { ...Object.fromEntries(valid), [digest]: now + lifetimeMs } }
}
