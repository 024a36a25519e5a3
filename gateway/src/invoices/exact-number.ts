/**
 * Quantities and prices with all the digits the client wrote.
 *
 * A JSON number is read as binary floating point and holds some 15 digits; ours may have 12 before
 * and 10 after the decimal point. Only a body that holds a longer literal pays for keeping it:
 * `JSON.parse` has no access to source text in this runtime.
 */

import { randomUUID } from 'node:crypto'
import { Decimal } from '@einvoicing/kernel/decimal'
import { limits } from '@einvoicing/kernel/limits'
import type { JsonSchema } from '../fields/json-schema'
import { absent, notNumber, ruleOf, type Rule } from '../fields/rules'
import { parseJsonObject, type JsonObject } from '../http/read-json'

/** The digits of a number too long for a `number`. */
export class ExactNumber {
  readonly literal: string

  constructor(literal: string) {
    this.literal = literal
  }
}

const longNumber = /\d[\d.]{15}/
// The quotes before a name that ends so cannot stand inside a text, where they would be escaped;
// and a name that merely ends so (`"\"quantity"`) is unknown and refused whatever its value.
const longAmount =
  /("(?:quantity|unitPrice)"\s*:\s*)(-?\d[\d.]{15,}(?:[eE][+-]?\d\d?)?)(?=\s*[,}])/g

/**
 * Like `parseJsonObject`, with `ExactNumber` for those quantities and prices of `lines` that a
 * `number` could not hold.
 */
export function parseExactJsonObject(text: string): JsonObject {
  const body = parseJsonObject(text)
  if (!longNumber.test(text)) return body
  // Unforgeable, so that a text in quotes never passes for a number.
  const mark = randomUUID()
  const marked = parseJsonObject(text.replace(longAmount, `$1"${mark}$2"`))
  for (const line of Array.isArray(marked['lines']) ? marked['lines'] : []) unmark(line, mark)
  return marked
}

function unmark(line: unknown, mark: string): void {
  if (typeof line !== 'object' || line === null) return
  const fields = line as JsonObject
  for (const name of ['quantity', 'unitPrice']) {
    const value = fields[name]
    if (typeof value === 'string' && value.startsWith(mark)) {
      fields[name] = new ExactNumber(value.slice(mark.length))
    }
  }
}

/** Plain notation: `0.0000001`, never `1e-7`. For a value that has passed its rule. */
export function decimalText(value: number | ExactNumber): string {
  return decimalOf(value).toString()
}

function decimalOf(value: number | ExactNumber): Decimal {
  return typeof value === 'number' ? Decimal.fromNumber(value) : Decimal.parse(value.literal)
}

const { quantityIntegerDigits, quantityFractionDigits } = limits
// Longer than any number within the limits, with room for idle zeros; shorter than what is slow to
// read.
const literalLengthMax = 64
const tooManyDigits = `must have at most ${quantityIntegerDigits} digits before and ${quantityFractionDigits} after the decimal point`

/** Greater than zero, or zero too. */
export const exactNumber = (sign: 'positive' | 'not negative'): Rule =>
  ruleOf(exactNumberSchema(sign), (value) => {
    if (value instanceof ExactNumber) {
      if (value.literal.length > literalLengthMax) return tooManyDigits
    } else if (typeof value !== 'number') return absent(value) ?? notNumber(value)
    else if (!Number.isFinite(value)) return tooManyDigits
    const decimal = decimalOf(value)
    if (decimal.integerDigits > quantityIntegerDigits) return tooManyDigits
    if (decimal.scale > quantityFractionDigits) return tooManyDigits
    if (decimal.isNegative)
      return sign === 'positive' ? 'must be greater than 0' : 'must be 0 or more'
    return decimal.isZero && sign === 'positive' ? 'must be greater than 0' : undefined
  })

// No `multipleOf` for the fraction digits: validators compute it in binary and refuse 0.1.
function exactNumberSchema(sign: 'positive' | 'not negative'): JsonSchema {
  return {
    type: 'number',
    minimum: sign === 'positive' ? 10 ** -quantityFractionDigits : 0,
    exclusiveMaximum: 10 ** quantityIntegerDigits,
  }
}
