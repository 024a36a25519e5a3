/**
 * What is wrong with a mention, told while it is typed: the rules of the organizations service,
 * which decides. A test holds both to the same verdicts.
 */

import type { MentionName } from '../api/organization'
import type { Catalogue } from '../i18n/catalogue'

type Checks = Catalogue['mentions']['checks']
type Check = (text: string, checks: Checks) => string | null

const lengthMax = 256
export const iceDigits = 15
export const ribDigits = 24

const digits =
  (count: number): Check =>
  (text, checks) => {
    if (/^\d+$/.test(text) && /^[0-9]+$/.test(text)) {
      return text.length === count ? null : checks.digits(count, text.length)
    }
    return checks.onlyDigits(count)
  }

const registration: Check = (text, checks) =>
  /^[\p{L}\p{N}/. -]+$/u.test(text) ? null : checks.registration

const checkOf: Partial<Record<MentionName, Check>> = {
  ice: digits(iceDigits),
  if: (text, checks) => (/^[0-9A-Za-z]{1,20}$/.test(text) ? null : checks.fiscal),
  rc: registration,
  tp: registration,
  cnss: registration,
  rib: digits(ribDigits),
  email: (text, checks) => (/^\s*[^@\s]+@[^@\s]+\.[^@\s]+\s*$/.test(text) ? null : checks.email),
}

/** `null` when nothing is; a blank one is only wrong where it is the name. */
export function mentionFault(name: MentionName, typed: string, checks: Checks): string | null {
  const text = typed.trim()
  if (text === '') return name === 'name' ? checks.needed : null
  if (text.length > lengthMax) return checks.long(lengthMax)
  return checkOf[name]?.(text, checks) ?? null
}

/** What is allowed and yet looks wrong: a check key that does not come out. */
export function mentionWarning(name: MentionName, typed: string, checks: Checks): string | null {
  const text = typed.trim()
  if (name === 'ice' && hasWrongKey(text, iceDigits)) return checks.iceKey
  if (name === 'rib' && hasWrongKey(text, ribDigits)) return checks.ribKey
  return null
}

// Both keys make the whole number divisible by 97.
function hasWrongKey(text: string, count: number): boolean {
  return text.length === count && /^[0-9]+$/.test(text) && BigInt(text) % 97n !== 0n
}
