/** RFC 6238 with what every authenticator app supports: SHA-1, six digits, half a minute. */

import { Secret, TOTP } from 'otpauth'
import { limits } from '@einvoicing/domain/limits'

const period = 30
const secretBytes = 20

export interface TotpLabel {
  issuer: string
  email: string
}

export function createTotpSecret(randomBytes: (count: number) => Uint8Array): string {
  const bytes = Uint8Array.from(randomBytes(secretBytes))
  return new Secret({ buffer: bytes.buffer }).base32
}

export function toOtpauthUri(secret: string, { issuer, email: label }: TotpLabel): string {
  return new TOTP({ issuer, label, secret: Secret.fromBase32(secret), period }).toString()
}

/** Half minutes of Unix time; `undefined` for a code that is wrong or used. */
export function findStep(
  secret: string,
  code: string,
  { now, lastStep }: { now: Date; lastStep: number },
): number | undefined {
  const token = code.replace(/\s/g, '')
  if (!/^\d{6}$/.test(token)) return undefined
  const window = Math.floor(limits.totpClockToleranceMs / 1000 / period)
  const totp = new TOTP({ secret: Secret.fromBase32(secret), period })
  const delta = totp.validate({ token, timestamp: now.getTime(), window })
  if (delta === null) return undefined
  const step = Math.floor(now.getTime() / 1000 / period) + delta
  return step > lastStep ? step : undefined
}
