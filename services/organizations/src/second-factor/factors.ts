import { createHash } from 'node:crypto'

export interface StoredPasskey {
  id: string
  credentialId: string
  /** COSE, base64url. */
  publicKey: string
  counter: number
  transports: readonly string[]
  /** The domain that it was made for. */
  rpId: string
  name: string
  createdAt: string
  lastUsedAt?: string | undefined
}

export interface SecondFactors {
  /** `secret` is encrypted; `lastStep` counts half minutes: older codes are rejected. */
  totp?: { secret: string; lastStep: number } | undefined
  /** Not confirmed by a code yet. */
  newTotp?: { secret: string; createdAt: string } | undefined
  /** Argon2id of the unused codes, under one salt. */
  recovery?: { salt: string; hashes: readonly string[] } | undefined
  passkeys: readonly StoredPasskey[]
  /** Digests of used one-time tokens, with their expiry in milliseconds. */
  used: Readonly<Record<string, number>>
}

export const noFactors: SecondFactors = { passkeys: [], used: {} }

export function isEnrolled({ totp, passkeys }: SecondFactors): boolean {
  return totp !== undefined || passkeys.length > 0
}

/** Recovery codes are deleted with the last factor they replace. */
export function withoutIdleCodes(factors: SecondFactors): SecondFactors {
  return isEnrolled(factors) ? factors : { ...factors, recovery: undefined }
}

/** `undefined`: already used. */
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
