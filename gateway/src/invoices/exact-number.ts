import { Decimal } from '@einvoicing/domain/decimal'
import { limits } from '@einvoicing/domain/limits'
import { z } from 'zod'
import type { JsonSchema } from '../fields/json-schema'
import { explainNotNumber, formatValue } from '../fields/rules'
import { ExactNumber } from '../json/exact-json'

const { quantityIntegerDigits, quantityFractionDigits } = limits
// Longer than any valid number with redundant zeros; shorter than what is slow to parse.
const literalLengthMax = 64
const tooManyDigits = `must have at most ${quantityIntegerDigits} digits before and ${quantityFractionDigits} after the decimal point`

type Sign = 'positive' | 'not negative'

/** Into plain notation: `0.0000001`, never `1e-7`. */
export const exactNumber = (sign: Sign, description: string, max?: number) =>
  z
    .custom<unknown>()
    .transform((value, context): string => {
      const read = readDecimal(value, sign, max)
      if (read instanceof Decimal) return read.toString()
      context.issues.push({ code: 'custom', message: read, input: value })
      return z.NEVER
    })
    .meta({ ...numberSchema(sign), ...(max !== undefined && { maximum: max }), description })

function readDecimal(value: unknown, sign: Sign, max?: number): Decimal | string {
  if (typeof value !== 'number' && !(value instanceof ExactNumber)) return explainNotNumber(value)
  if (!isReadable(value)) return `${tooManyDigits}; got ${formatValue(value)}`
  const decimal =
    typeof value === 'number' ? Decimal.fromNumber(value) : Decimal.parse(value.literal)
  if (decimal.integerDigits > quantityIntegerDigits) {
    return `${tooManyDigits}; got ${formatValue(value)}`
  }
  // As binary floating point leaves it: 0.1 + 0.2 is 0.30000000000000004.
  if (decimal.scale > quantityFractionDigits) {
    return `${tooManyDigits}; got ${formatValue(value)}: round it`
  }
  if (max !== undefined && Number(decimal.toString()) > max) {
    return `must be at most ${max}; got ${formatValue(value)}`
  }
  if (decimal.isNegative)
    return sign === 'positive' ? 'must be greater than 0' : 'must be 0 or more'
  return decimal.isZero && sign === 'positive' ? 'must be greater than 0' : decimal
}

// Beyond these exponents there are more digits than any limit allows.
function isReadable(value: number | ExactNumber): boolean {
  if (typeof value === 'number') return Number.isFinite(value)
  return value.literal.length <= literalLengthMax && !/[eE][+-]?0*[1-9]\d\d/.test(value.literal)
}

// No `multipleOf` for the fraction digits: validators compute it in binary and reject 0.1.
function numberSchema(sign: Sign): JsonSchema {
  return {
    type: 'number',
    minimum: sign === 'positive' ? 10 ** -quantityFractionDigits : 0,
    exclusiveMaximum: 10 ** quantityIntegerDigits,
  }
}
