/** What an email and a password of an account must look like. */

import { emailForm } from '@einvoicing/domain/email'
import { limits } from '@einvoicing/domain/limits'
import { filledText, filledTextOf, lengthOf, ruleOf } from '../fields/rules'

export const password = filledText(limits.passwordLengthMax)

export const newPassword = ruleOf(
  { ...password.schema, minLength: limits.passwordLengthMin },
  (value) => {
    const fault = password(value)
    if (fault !== undefined || lengthOf(String(value)) >= limits.passwordLengthMin) return fault
    return `must be at least ${limits.passwordLengthMin} characters`
  },
)

export const email = filledText(limits.emailLength)

export const newEmail = filledTextOf(emailForm, limits.emailLength)
