/** Returns a sentence about what is wrong, or `undefined`. */

import { matchesForm, type TextForm } from '@einvoicing/domain/text-form'
import { createValidationError } from '@einvoicing/domain/validation-error'
import { isXmlText } from '@einvoicing/domain/xml-text'

export type TextRule = (text: string) => string | undefined

export const notBlank: TextRule = (text) => (text === '' ? 'must not be blank' : undefined)

export const printable: TextRule = (text) =>
  isXmlText(text) ? undefined : 'must not contain control characters'

/** In Unicode characters. */
export const atMost =
  (max: number): TextRule =>
  (text) =>
    [...text].length > max ? `must have at most ${max} characters` : undefined

export const ofForm =
  (form: TextForm): TextRule =>
  (text) =>
    matchesForm(text, form) ? undefined : form.message

export const optional =
  (rule: TextRule): TextRule =>
  (text) =>
    text === '' ? undefined : rule(text)

export function findFirstError(text: string, rules: readonly TextRule[]): string | undefined {
  for (const rule of rules) {
    const problem = rule(text)
    if (problem !== undefined) return problem
  }
  return undefined
}

/** Throws `VALIDATION_ERROR` with every field error. */
export function checkFieldErrors(errorByField: Record<string, string | undefined>): void {
  const problems = Object.entries(errorByField).flatMap(([field, problem]) =>
    problem === undefined ? [] : [{ field, message: problem }],
  )
  if (problems.length > 0) throw createValidationError(problems)
}
