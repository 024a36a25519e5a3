import { emailForm } from '@einvoicing/domain/email'
import { limits } from '@einvoicing/domain/limits'
import { atMost, findFirstError, notBlank, ofForm } from './text-rules'

const isEmail = ofForm(emailForm)

export function normaliseEmail(text: string): string {
  return text.trim().toLowerCase()
}

export function findEmailError(normalised: string): string | undefined {
  return findFirstError(normalised, [notBlank, atMost(limits.emailLength), isEmail])
}
