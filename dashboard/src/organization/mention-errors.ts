import {
  iceDigits,
  mentionForms,
  ribDigits,
  type LegalMention,
} from '@einvoicing/domain/legal-mentions'
import { limits } from '@einvoicing/domain/limits'
import { matchesForm } from '@einvoicing/domain/text-form'
import { hasCheckKey } from '@einvoicing/profile/bank-account'
import type { Catalogue } from '../i18n/catalogue'

type Messages = Catalogue['mentions']['errors']

// Banks and official notices print them in groups.
const grouped: readonly LegalMention[] = ['ice', 'if', 'rib']

export const cleanMention = (name: LegalMention, typed: string): string =>
  grouped.includes(name) ? typed.replace(/\s/g, '') : typed.trim()

/** `null` for none; only the name must not be blank. */
export function findMentionError(
  name: LegalMention,
  typed: string,
  messages: Messages,
): string | null {
  const text = cleanMention(name, typed)
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

/** Wrong check digits are allowed. */
export function findMentionWarning(
  name: LegalMention,
  typed: string,
  messages: Messages,
): string | null {
  const text = cleanMention(name, typed)
  if (name === 'ice' && isWrong(text, iceDigits)) return messages.iceKey
  if (name === 'rib' && isWrong(text, ribDigits)) return messages.ribKey
  return null
}

function isWrong(text: string, count: number): boolean {
  return text.length === count && /^[0-9]+$/.test(text) && !hasCheckKey(text)
}
