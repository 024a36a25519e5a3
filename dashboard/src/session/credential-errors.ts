import { emailForm } from '@einvoicing/domain/email'
import { limits } from '@einvoicing/domain/limits'
import { matchesForm } from '@einvoicing/domain/text-form'
import type { Catalogue } from '../i18n/catalogue'

type Messages = Catalogue['frame']

export function findEmailError(typed: string, messages: Messages): string | null {
  return matchesForm(typed.trim(), emailForm) ? null : messages.invalidEmail
}

export function findPasswordError(typed: string, messages: Messages): string | null {
  return [...typed].length >= limits.passwordLengthMin ? null : messages.tooShort
}
