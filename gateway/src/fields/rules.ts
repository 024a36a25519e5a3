// Returns a sentence without the field's name, or `undefined`; `schema` states the same in OpenAPI.

import type { TextForm } from '@einvoicing/domain/text-form'
import { hasVisibleText, invisibleRanges } from '@einvoicing/domain/visible-text'
import { isXmlText } from '@einvoicing/domain/xml-text'
import { z } from 'zod'
import { ExactNumber } from '../json/exact-json'
import type { JsonSchema } from './json-schema'

export interface Rule {
  (value: unknown): string | undefined
  readonly schema: JsonSchema
}

/** `check` becomes the rule, so it must not be shared. */
export function defineRule(
  schema: JsonSchema,
  check: (value: unknown) => string | undefined,
): Rule {
  return Object.assign(check, { schema })
}

export function annotateRule(rule: Rule, annotations: JsonSchema): Rule {
  return defineRule({ ...rule.schema, ...annotations }, (value) => rule(value))
}

export function toZodSchema<T>(rule: Rule, description?: string): z.ZodCustom<T, T> {
  const schema = z.custom<T>((value) => rule(value) === undefined, {
    error: ({ input }) => rule(input) ?? 'is not valid',
  })
  return schema.meta({ ...rule.schema, ...(description !== undefined && { description }) })
}

// As in domain/xml-text, without lone surrogates: JSON in UTF-8 has none, and some regular
// expression dialects cannot express them, nor \u.
export const illegalXmlCharacters = '\\x00-\\x08\\x0B\\x0C\\x0E-\\x1F\uFFFE\uFFFF'

/** In Unicode characters, as JSON Schema counts. Characters that XML 1.0 lacks are errors. */
export const text = (lengthMax: number): Rule =>
  defineRule(
    { type: 'string', maxLength: lengthMax, pattern: `^[^${illegalXmlCharacters}]*$` },
    (value) => {
      if (typeof value !== 'string') return explainNotText(value)
      const length = countCharacters(value)
      if (length > lengthMax) return `must be at most ${lengthMax} characters; got ${length}`
      return isXmlText(value) ? undefined : `must not contain ${findIllegalCharacter(value)}`
    },
  )

// A surrogate pair is one character.
export function countCharacters(value: string): number {
  return value.length - (value.match(/[\uD800-\uDBFF][\uDC00-\uDFFF]/g)?.length ?? 0)
}

export const filledText = (lengthMax: number): Rule => {
  const isText = text(lengthMax)
  const pattern = `^[^${illegalXmlCharacters}]*[^\\s${invisibleRanges}${illegalXmlCharacters}][^${illegalXmlCharacters}]*$`
  return defineRule(
    { ...isText.schema, minLength: 1, pattern },
    (value) => isText(value) ?? (hasVisibleText(value as string) ? undefined : 'must not be blank'),
  )
}

/** Surrounding blanks are allowed, and so is blank text. */
export const formattedText = (
  { pattern, message: otherwise }: TextForm,
  lengthMax: number,
): Rule => {
  const isText = text(lengthMax)
  const whole = `^\\s*(?:${pattern})?\\s*$`
  const formed = new RegExp(whole, 'u')
  return defineRule(
    { ...isText.schema, allOf: [{ pattern: whole }] },
    (value) => isText(value) ?? (formed.test(value as string) ? undefined : otherwise),
  )
}

/** Surrounding blanks are allowed. */
export const filledFormattedText = (form: TextForm, lengthMax: number): Rule => {
  const [isFilled, isFormed] = [filledText(lengthMax), formattedText(form, lengthMax)]
  return defineRule(
    { ...isFormed.schema, ...isFilled.schema },
    (value) => isFilled(value) ?? isFormed(value),
  )
}

/** `expected` stands in the message, where a list of all would be too long. */
export const oneOf = (
  allowed: readonly string[],
  expected = `one of ${allowed.join(', ')}`,
): Rule =>
  defineRule({ type: 'string', enum: allowed }, (value) => {
    if (typeof value === 'string' && allowed.includes(value)) return undefined
    return explainAbsence(value) ?? `must be ${expected}; got ${formatValue(value)}`
  })

export const flag = defineRule({ type: 'boolean' }, (value) => {
  if (typeof value === 'boolean') return undefined
  return explainAbsence(value) ?? `must be true or false; got ${formatValue(value)}`
})

export const digits = (count: number, example: string): Rule =>
  defineRule({ type: 'string', pattern: `^[0-9]{${count}}$`, examples: [example] }, (value) => {
    if (typeof value !== 'string') return explainNotText(value)
    if (value.length === count && /^[0-9]+$/.test(value)) return undefined
    const got = /^[0-9]+$/.test(value) ? String(value.length) : formatValue(value)
    return `must be exactly ${count} digits, for example ${example}; got ${got}`
  })

// The pattern: some digit of the year is not 0.
const dateSchema = { type: 'string', format: 'date', pattern: '^[0-9]*[1-9][0-9]*-' } as const

export const calendarDate = defineRule(dateSchema, (value) => {
  if (typeof value !== 'string') return explainNotText(value)
  if (!/^\d{4}-\d{2}-\d{2}$/.test(value)) {
    return `must be a date as YYYY-MM-DD, for example 2026-01-31; got ${formatValue(value)}`
  }
  return isCalendarDate(value) ? undefined : `must be an existing date; ${value} does not exist`
})

// XML Schema 1.0 has no year 0000.
export function isCalendarDate(date: string): boolean {
  const moment = new Date(`${date}T00:00:00Z`)
  return (
    !date.startsWith('0000') &&
    !Number.isNaN(moment.getTime()) &&
    moment.toISOString().startsWith(date)
  )
}

export function explainAbsence(value: unknown): string | undefined {
  return value === undefined || value === null ? 'is required' : undefined
}

export function explainNotText(value: unknown): string {
  return explainAbsence(value) ?? `must be text in quotes; got ${formatValue(value)}`
}

/** Points out a number in quotes, a common mistake. */
export function explainNotNumber(value: unknown): string {
  if (typeof value === 'string' && value.trim() !== '' && Number.isFinite(Number(value))) {
    return `must be a number without quotes: ${value.trim().slice(0, 40)}`
  }
  return explainAbsence(value) ?? `must be a number; got ${formatValue(value)}`
}

export function formatValue(value: unknown): string {
  if (value === undefined) return 'nothing'
  if (Array.isArray(value)) return 'an array'
  const isNumber = value instanceof ExactNumber
  if (typeof value === 'object' && value !== null && !isNumber) return 'an object'
  const written = isNumber ? value.literal : JSON.stringify(value)
  return written.length > 60 ? `${written.slice(0, 57)}…` : written
}

function findIllegalCharacter(value: string): string {
  let position = 1
  for (const character of value) {
    if (!isXmlText(character)) {
      const code = (character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')
      return `the character U+${code} (at position ${position}), which no XML document can carry`
    }
    position += character.length
  }
  return 'characters which no XML document can carry'
}
