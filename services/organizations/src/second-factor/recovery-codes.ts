/** Ten codes of 50 bits, stored like passwords under one salt: a guess costs one hash. */

import { limits } from '@einvoicing/domain/limits'
import type { Deps } from '../deps'
import type { SecondFactors } from './factors'

// Crockford's base32: no letter that reads as a digit.
const alphabet = '0123456789abcdefghjkmnpqrstvwxyz'
const codeLength = 10
const saltBytes = 16

export interface NewCodes {
  codes: string[]
  stored: NonNullable<SecondFactors['recovery']>
}

type CodeDeps = Pick<Deps, 'randomBytes' | 'passwords' | 'codeSetGuard'>

/** Throws `TOO_MANY_ATTEMPTS`. */
export async function createRecoveryCodes(
  { randomBytes, passwords, codeSetGuard }: CodeDeps,
  userId: string,
): Promise<NewCodes> {
  await codeSetGuard(userId)
  const salt = Buffer.from(randomBytes(saltBytes))
  const codes: string[] = []
  const hashes: string[] = []
  while (codes.length < limits.recoveryCodes) {
    const code = createCode(randomBytes)
    codes.push(`${code.slice(0, codeLength / 2)}-${code.slice(codeLength / 2)}`)
    hashes.push(await passwords.hashWith(salt, code, userId))
  }
  return { codes, stored: { salt: salt.toString('base64url'), hashes } }
}

/** `undefined` for malformed codes, and when no code is left. */
export async function hashRecoveryCode(
  { passwords }: Pick<Deps, 'passwords'>,
  { recovery }: SecondFactors,
  { typed, network }: { typed: string; network: string },
): Promise<string | undefined> {
  const code = readCode(typed)
  if (code === undefined || !recovery) return undefined
  return passwords.hashWith(Buffer.from(recovery.salt, 'base64url'), code, network)
}

/** `undefined`: none of the unused codes. */
export function spendCode(factors: SecondFactors, hash: string): SecondFactors | undefined {
  const { recovery } = factors
  if (!recovery?.hashes.includes(hash)) return undefined
  const hashes = recovery.hashes.filter((one) => one !== hash)
  return { ...factors, recovery: { ...recovery, hashes } }
}

function createCode(randomBytes: CodeDeps['randomBytes']): string {
  return [...randomBytes(codeLength)].map((byte) => alphabet[byte % alphabet.length]).join('')
}

function readCode(typed: string): string | undefined {
  const letters = typed.toLowerCase().replace(/[\s-]/g, '').replace(/o/g, '0').replace(/[il]/g, '1')
  return /^[0-9a-hjkmnp-tv-z]{10}$/.test(letters) ? letters : undefined
}
