import { emailForm } from '@einvoicing/domain/email'
import { limits } from '@einvoicing/domain/limits'
import { z } from 'zod'
import {
  filledText,
  filledFormattedText,
  countCharacters,
  defineRule,
  toZodSchema,
} from '../fields/rules'

export const passwordRule = filledText(limits.passwordLengthMax)

export const newPasswordRule = defineRule(
  { ...passwordRule.schema, minLength: limits.passwordLengthMin },
  (value) => {
    const problem = passwordRule(value)
    if (problem !== undefined || countCharacters(String(value)) >= limits.passwordLengthMin)
      return problem
    return `must be at least ${limits.passwordLengthMin} characters`
  },
)

export const emailRule = filledText(limits.emailLength)

export const newEmailRule = filledFormattedText(emailForm, limits.emailLength)

export const oneEmail = z.strictObject({ email: toZodSchema<string>(newEmailRule) })
