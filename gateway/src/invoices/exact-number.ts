/** Quantities and prices with all the digits the client wrote: 12 before and 10 after the point. */

import { Decimal } from '@einvoicing/domain/decimal'
import { limits } from '@einvoicing/domain/limits'
import type { JsonSchema } from '../fields/json-schema'
import { explainNotNumber, defineRule, type Rule } from '../fields/rules'
import { ExactNumber } from '../json/exact-json'

/** Plain notation: `0.0000001`, never `1e-7`. For a value that has passed its rule. */
export function decimalText(value: number | ExactNumber): string {
  return decimalOf(value).toString()
}

function decimalOf(value: number | ExactNumber): Decimal {
  return typeof value === 'number' ? Decimal.fromNumber(value) : Decimal.parse(value.literal)
}

const { quantityIntegerDigits, quantityFractionDigits } = limits
// Longer than any number within the limits, with room for zeros that say nothing; shorter than what
// is slow to read.
const literalLengthMax = 64
const tooManyDigits = `must have at most ${quantityIntegerDigits} digits before and ${quantityFractionDigits} after the decimal point`

/** Greater than zero, or zero too. */
export const exactNumber = (sign: 'positive' | 'not negative'): Rule =>
  defineRule(exactNumberSchema(sign), (value) => {
    if (typeof value !== 'number' && !(value instanceof ExactNumber)) return explainNotNumber(value)
    if (!isReadable(value)) return tooManyDigits
    const decimal = decimalOf(value)
    if (decimal.integerDigits > quantityIntegerDigits) return tooManyDigits
    if (decimal.scale > quantityFractionDigits) return tooManyDigits
    if (decimal.isNegative)
      return sign === 'positive' ? 'must be greater than 0' : 'must be 0 or more'
    return decimal.isZero && sign === 'positive' ? 'must be greater than 0' : undefined
  })

// Past these exponents there are more digits than any limit allows.
function isReadable(value: number | ExactNumber): boolean {
  if (typeof value === 'number') return Number.isFinite(value)
  return value.literal.length <= literalLengthMax && !/[eE][+-]?0*[1-9]\d\d/.test(value.literal)
}

// No `multipleOf` for the fraction digits: validators compute it in binary and refuse 0.1.
function exactNumberSchema(sign: 'positive' | 'not negative'): JsonSchema {
  return {
    type: 'number',
    minimum: sign === 'positive' ? 10 ** -quantityFractionDigits : 0,
    exclusiveMaximum: 10 ** quantityIntegerDigits,
  }
}
