// `JSON.parse` reads numbers as doubles, which hold about 15 digits. Libraries for exact numbers
// reject repeated names and recurse as deeply as a text nests.

import { randomUUID } from 'node:crypto'
import { Decimal } from '@einvoicing/domain/decimal'
import { endOfString } from './json-depth'

export class ExactNumber {
  readonly literal: string

  constructor(literal: string) {
    this.literal = literal
  }

  toJSON(): string {
    return `${outgoingMark}${this.literal}`
  }
}

// At most 15 digits without an exponent survive a double (IEEE 754, DBL_DIG).
const mayBeAltered = /[\d.]{16}|\d[eE]/

/** More than an invoice of 2,000 lines has; each costs some microseconds. */
export const longNumbersMax = 10_000

export class TooManyLongNumbers extends Error {}

/** `ExactNumber` for numbers that a double would alter. Throws `TooManyLongNumbers`. */
export function parseExactJson(text: string): unknown {
  const value: unknown = JSON.parse(text)
  if (!mayBeAltered.test(text)) return value
  // Unforgeable, so that no string passes for a number.
  const mark = randomUUID()
  const marked = withNumbersMarked(text, mark)
  // The digits were in strings, as those of an ICE or a RIB.
  return marked === text ? value : withoutMarks(JSON.parse(marked), mark)
}

// Ten times as fast as a reviver when a hostile text holds a million values.
function withoutMarks(value: unknown, mark: string): unknown {
  if (typeof value === 'string') {
    return value.startsWith(mark) ? toNumber(value.slice(mark.length)) : value
  }
  if (Array.isArray(value)) {
    for (let index = 0; index < value.length; index += 1) {
      value[index] = withoutMarks(value[index], mark)
    }
  } else if (typeof value === 'object' && value !== null) {
    const members = value as Record<string, unknown>
    for (const name of Object.keys(members)) members[name] = withoutMarks(members[name], mark)
  }
  return value
}

/** `text` is valid JSON: outside its strings, digits occur only in numbers. */
function withNumbersMarked(text: string, mark: string): string {
  const parts: string[] = []
  let copiedTo = 0
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at)
    if (code === 0x22) at = endOfString(text, at)
    else if (isOfNumber(code)) {
      const start = at
      while (isOfNumber(text.charCodeAt(at + 1))) at += 1
      const literal = text.slice(start, at + 1)
      if (!mayBeAltered.test(literal)) continue
      if (parts.length >= 2 * longNumbersMax) throw new TooManyLongNumbers()
      parts.push(text.slice(copiedTo, start), `"${mark}${literal}"`)
      copiedTo = at + 1
    }
  }
  return parts.join('') + text.slice(copiedTo)
}

// Digits, and - + . e E; of the words only the e of true and false, which begins no number.
function isOfNumber(code: number): boolean {
  return (code >= 0x2b && code <= 0x39 && code !== 0x2c && code !== 0x2f) || (code | 0x20) === 0x65
}

// Longer than any valid number with redundant zeros; shorter than what is slow to compare.
const comparedLengthMax = 64

function toNumber(literal: string): number | ExactNumber {
  const number = Number(literal)
  return isExactly(number, literal) ? number : new ExactNumber(literal)
}

function isExactly(number: number, literal: string): boolean {
  if (number === 0) return /^-?[0.]+(?:[eE]|$)/.test(literal)
  if (!Number.isFinite(number) || literal.length > comparedLengthMax) return false
  return Decimal.fromNumber(number).equals(Decimal.parse(literal))
}

/** The shortest form that preserves a decimal in plain notation. */
export function toExactNumber(decimal: string): number | ExactNumber {
  return mayBeAltered.test(decimal) ? toNumber(decimal) : Number(decimal)
}

const outgoingMark = `exact-${randomUUID()}:`
const outgoing = new RegExp(`"${outgoingMark}(-?[\\d.]+)"`, 'g')

/** `JSON.stringify`, with every digit of an `ExactNumber` in plain notation. */
export function writeExactJson(value: object): string {
  const text = JSON.stringify(value)
  return text.includes(outgoingMark) ? text.replace(outgoing, '$1') : text
}
