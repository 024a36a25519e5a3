/**
 * What a JSON value must be: a rule answers a sentence about what is wrong with it, or `undefined`;
 * its `schema` says the same to who has not sent it yet.
 *
 * The field's name stands before the sentence wherever it is shown, so it is not repeated.
 */

import type { TextForm } from '@einvoicing/domain/text-form'
import { isXmlText } from '@einvoicing/domain/xml-text'
import { z } from 'zod'
import { ExactNumber } from '../http/exact-json'
import type { JsonSchema } from './json-schema'

export interface Rule {
  (value: unknown): string | undefined
  readonly schema: JsonSchema
}

/** `check` becomes the rule, so it must be a function of its own. */
export function ruleOf(schema: JsonSchema, check: (value: unknown) => string | undefined): Rule {
  return Object.assign(check, { schema })
}

/** The same rule, with what a schema can say beyond bounds: `description`, `default`. */
export function described(rule: Rule, annotations: JsonSchema): Rule {
  return ruleOf({ ...rule.schema, ...annotations }, (value) => rule(value))
}

/** A schema that holds exactly where the rule has nothing to say. */
export function ruled<T>(rule: Rule, description?: string): z.ZodCustom<T, T> {
  const schema = z.custom<T>((value) => rule(value) === undefined, {
    error: ({ input }) => rule(input) ?? 'is not valid',
  })
  return schema.meta({ ...rule.schema, ...(description !== undefined && { description }) })
}

// As in domain/xml-text, but for lone surrogates: JSON in UTF-8 has none, and some dialects of
// regular expressions cannot name them.
export const notXml = '\\u0000-\\u0008\\u000B\\u000C\\u000E-\\u001F\\uFFFE\\uFFFF'

/**
 * Length in Unicode characters, as JSON Schema and XML Schema count; characters that XML 1.0 cannot
 * carry are refused by name.
 */
export const text = (lengthMax: number): Rule =>
  ruleOf({ type: 'string', maxLength: lengthMax, pattern: `^[^${notXml}]*$` }, (value) => {
    if (typeof value !== 'string') return notText(value)
    const length = lengthOf(value)
    if (length > lengthMax) return `must be at most ${lengthMax} characters; got ${length}`
    return isXmlText(value) ? undefined : `must not contain ${illegalCharacter(value)}`
  })

// A pair of surrogates is one character.
export function lengthOf(value: string): number {
  return value.length - (value.match(/[\uD800-\uDBFF][\uDC00-\uDFFF]/g)?.length ?? 0)
}

export const filledText = (lengthMax: number): Rule => {
  const isText = text(lengthMax)
  const pattern = `^[^${notXml}]*[^\\s${notXml}][^${notXml}]*$`
  return ruleOf(
    { ...isText.schema, minLength: 1, pattern },
    (value) => isText(value) ?? ((value as string).trim() === '' ? 'must not be blank' : undefined),
  )
}

/** Blank, or of that form between blanks. */
export const textOf = ({ pattern, message: otherwise }: TextForm, lengthMax: number): Rule => {
  const isText = text(lengthMax)
  const whole = `^\\s*(?:${pattern})?\\s*$`
  const formed = new RegExp(whole, 'u')
  return ruleOf(
    { ...isText.schema, allOf: [{ pattern: whole }] },
    (value) => isText(value) ?? (formed.test(value as string) ? undefined : otherwise),
  )
}

/** Of that form between blanks. */
export const filledTextOf = (form: TextForm, lengthMax: number): Rule => {
  const [isFilled, isFormed] = [filledText(lengthMax), textOf(form, lengthMax)]
  return ruleOf(
    { ...isFormed.schema, ...isFilled.schema },
    (value) => isFilled(value) ?? isFormed(value),
  )
}

export const oneOf = (allowed: readonly string[]): Rule =>
  ruleOf({ type: 'string', enum: allowed }, (value) => {
    if (typeof value === 'string' && allowed.includes(value)) return undefined
    return absent(value) ?? `must be one of ${allowed.join(', ')}; got ${shown(value)}`
  })

export const flag = ruleOf({ type: 'boolean' }, (value) =>
  typeof value === 'boolean' ? undefined : `must be true or false; got ${shown(value)}`,
)

export const digits = (count: number, example: string): Rule =>
  ruleOf({ type: 'string', pattern: `^[0-9]{${count}}$`, examples: [example] }, (value) => {
    if (typeof value !== 'string') return notText(value)
    if (value.length === count && /^[0-9]+$/.test(value)) return undefined
    const got = /^[0-9]+$/.test(value) ? String(value.length) : shown(value)
    return `must be exactly ${count} digits, for example ${example}; got ${got}`
  })

// The pattern: some digit of the year is not 0.
const dateSchema = { type: 'string', format: 'date', pattern: '^[0-9]*[1-9][0-9]*-' } as const

/** A date of the Gregorian calendar. */
export const calendarDate = ruleOf(dateSchema, (value) => {
  if (typeof value !== 'string') return notText(value)
  if (!/^\d{4}-\d{2}-\d{2}$/.test(value)) {
    return `must be a date as YYYY-MM-DD, for example 2026-01-31; got ${shown(value)}`
  }
  return isCalendarDate(value) ? undefined : `must be a date of the calendar; ${value} is not`
})

// XML Schema 1.0 has no year 0000, and neither has history.
export function isCalendarDate(date: string): boolean {
  const moment = new Date(`${date}T00:00:00Z`)
  return (
    !date.startsWith('0000') &&
    !Number.isNaN(moment.getTime()) &&
    moment.toISOString().startsWith(date)
  )
}

export function absent(value: unknown): string | undefined {
  return value === undefined || value === null ? 'is required' : undefined
}

export function notText(value: unknown): string {
  return absent(value) ?? `must be text in quotes; got ${shown(value)}`
}

/** A number in quotes is a common slip: say so. */
export function notNumber(value: unknown): string {
  if (typeof value === 'string' && value.trim() !== '' && Number.isFinite(Number(value))) {
    return `must be a number without quotes: ${value.trim().slice(0, 40)}`
  }
  return absent(value) ?? `must be a number; got ${shown(value)}`
}

export function shown(value: unknown): string {
  if (Array.isArray(value)) return 'an array'
  const isNumber = value instanceof ExactNumber
  if (typeof value === 'object' && value !== null && !isNumber) return 'an object'
  const written = isNumber ? value.literal : JSON.stringify(value)
  return written.length > 60 ? `${written.slice(0, 57)}…` : written
}

function illegalCharacter(value: string): string {
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
