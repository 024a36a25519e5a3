import { minorUnitDigits } from '@einvoicing/domain/currency'
import { Decimal } from '@einvoicing/domain/decimal'
import { limits } from '@einvoicing/domain/limits'
import { ApiError, type FieldError } from '@einvoicing/domain/api-error'
import { computeLineAmount, sumLines } from '@einvoicing/domain/totals'
import type { Invoice, LineContent, VatSubtotal } from '@einvoicing/proto/invoice'

/** All in minor units. */
export type Totals = Pick<
  Invoice,
  'lines' | 'vatSubtotals' | 'amountHt' | 'amountVat' | 'amountTtc'
>

const amountMax = 10n ** BigInt(limits.amountSignificantDigits) - 1n

/**
 * Throws VALIDATION_ERROR naming the line that is too large, or `lines`: more than 15 significant
 * digits do not fit a JSON number exactly.
 */
export function computeTotals(lines: readonly LineContent[], currency: string): Totals {
  const digits = minorUnitDigits(currency)
  const lineAmounts = lines.map(({ quantity, unitPrice }) =>
    computeLineAmount(parsePlain(quantity), parsePlain(unitPrice), digits),
  )
  refuseTooLarge(lineAmounts)

  const { subtotals, amountHt, amountVat, amountTtc } = sumLines(
    lines.map(({ vatRate }, index) => ({ vatRate, amountHt: lineAmounts[index] ?? 0n })),
  )
  if (amountTtc > amountMax) throw tooLarge([{ field: 'lines', message: tooLargeMessage }])

  return {
    lines: lines.map((line, index) => ({ ...line, amountHt: Number(lineAmounts[index]) })),
    vatSubtotals: subtotals.map(({ vatRate, taxable, vat }): VatSubtotal => ({
      vatRate,
      taxableAmount: Number(taxable),
      vatAmount: Number(vat),
    })),
    amountHt: Number(amountHt),
    amountVat: Number(amountVat),
    amountTtc: Number(amountTtc),
  }
}

/** The document repeats the text as it is, and xsd:decimal has no exponent. */
function parsePlain(decimal: string): Decimal {
  if (/[eE]/.test(decimal)) throw new Error(`not in plain notation: ${decimal}`)
  return Decimal.parse(decimal)
}

const tooLargeMessage = `the amount has more than ${limits.amountSignificantDigits} significant digits; split the invoice or check quantity and unitPrice`

function refuseTooLarge(lineAmounts: readonly bigint[]): void {
  const problems = lineAmounts.flatMap((amount, index) =>
    amount > amountMax ? [{ field: `lines[${index}]`, message: tooLargeMessage }] : [],
  )
  if (problems.length > 0) throw tooLarge(problems)
}

function tooLarge(problems: FieldError[]): ApiError {
  return new ApiError(
    'VALIDATION_ERROR',
    'The invoice is larger than an exact amount can hold: split it, or check what errors names.',
    {
      fieldErrors: problems,
    },
  )
}
