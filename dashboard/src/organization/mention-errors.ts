import {
  iceDigits,
  mentionForms,
  ribDigits,
  type LegalMention,
} from '@einvoicing/domain/legal-mentions'
import { limits } from '@einvoicing/domain/limits'
import { matchesForm } from '@einvoicing/domain/text-form'
import type { Catalogue } from '../i18n/catalogue'

type Messages = Catalogue['mentions']['errors']

/** `null` when nothing is; only the name may not be blank. */
export function findMentionError(
  name: LegalMention,
  typed: string,
  messages: Messages,
): string | null {
  const text = typed.trim()
  if (text === '') return name === 'name' ? messages.required : null
  if ([...text].length > limits.mentionLength) return messages.long(limits.mentionLength)
  const form = mentionForms[name]
  return form === undefined || matchesForm(text, form) ? null : describeForm(name, text, messages)
}

function describeForm(name: LegalMention, text: string, messages: Messages): string {
  switch (name) {
    case 'ice':
      return describeDigits(text, iceDigits, messages)
    case 'rib':
      return describeDigits(text, ribDigits, messages)
    case 'if':
      return messages.fiscal
    case 'email':
      return messages.email
    default:
      return messages.registration
  }
}

function describeDigits(text: string, count: number, messages: Messages): string {
  return /^[0-9]+$/.test(text) ? messages.digits(count, text.length) : messages.onlyDigits(count)
}

/** What is allowed but looks wrong: a check key that does not match. */
export function findMentionWarning(
  name: LegalMention,
  typed: string,
  messages: Messages,
): string | null {
  const text = typed.trim()
  if (name === 'ice' && hasWrongKey(text, iceDigits)) return messages.iceKey
  if (name === 'rib' && hasWrongKey(text, ribDigits)) return messages.ribKey
  return null
}

// Both keys make the whole number divisible by 97.
function hasWrongKey(text: string, count: number): boolean {
  return text.length === count && /^[0-9]+$/.test(text) && BigInt(text) % 97n !== 0n
}
