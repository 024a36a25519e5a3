/**
 * The arithmetic of an invoice (design.md, section 3; EN 16931 BR-CO-10 to BR-CO-17).
 *
 * Exact throughout: decimals in, integer minor units out. Refuses an amount past 15 significant
 * digits, because a JSON number could not carry it exactly.
 */

import { minorUnitDigits } from '@einvoicing/domain/currency'
import { Decimal } from '@einvoicing/domain/decimal'
import { limits } from '@einvoicing/domain/limits'
import { ApiError, type FieldError } from '@einvoicing/domain/api-error'
import type { Invoice, InvoiceLine, VatSubtotal } from '@einvoicing/proto/invoice'

/** What the service computes and the client never sends; all in minor units. */
export type Totals = Pick<
  Invoice,
  'lines' | 'vatSubtotals' | 'amountHt' | 'amountVat' | 'amountTtc'
>

const amountMax = 10n ** BigInt(limits.amountSignificantDigits) - 1n

/**
 * Line amounts, VAT per rate, and the three totals. Throws `VALIDATION_ERROR` naming the line that
 * is too large, or `lines`.
 */
export function computeTotals(lines: readonly InvoiceLine[], currency: string): Totals {
  const digits = minorUnitDigits(currency)
  const lineAmounts = lines.map((line) => lineAmountHt(line, digits))
  refuseTooLarge(lineAmounts)

  const taxableByRate = new Map<number, bigint>()
  lines.forEach(({ vatRate }, index) => {
    taxableByRate.set(vatRate, (taxableByRate.get(vatRate) ?? 0n) + (lineAmounts[index] ?? 0n))
  })
  const subtotals = [...taxableByRate]
    .sort(([rate], [otherRate]) => otherRate - rate)
    .map(([vatRate, taxable]) => ({ vatRate, taxable, vat: vatOf(taxable, vatRate) }))

  const amountHt = sum(lineAmounts)
  const amountVat = sum(subtotals.map(({ vat }) => vat))
  const amountTtc = amountHt + amountVat
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

function lineAmountHt({ quantity, unitPrice }: InvoiceLine, digits: number): bigint {
  return Decimal.parse(quantity).times(Decimal.parse(unitPrice)).toMinorUnits(digits)
}

function vatOf(taxable: bigint, vatRate: number): bigint {
  // Half up over non-negative integers: add half the divisor, drop the rest.
  return (taxable * BigInt(vatRate) + 50n) / 100n
}

function sum(amounts: readonly bigint[]): bigint {
  return amounts.reduce((total, amount) => total + amount, 0n)
}

const tooLargeMessage = `the amount has more than ${limits.amountSignificantDigits} significant digits; split the invoice or check quantity and unitPrice`

function refuseTooLarge(lineAmounts: readonly bigint[]): void {
  const faults = lineAmounts.flatMap((amount, index) =>
    amount > amountMax ? [{ field: `lines[${index}]`, message: tooLargeMessage }] : [],
  )
  if (faults.length > 0) throw tooLarge(faults)
}

function tooLarge(faults: FieldError[]): ApiError {
  return new ApiError(
    'VALIDATION_ERROR',
    'The invoice is larger than an exact amount can hold: split it, or check what errors names.',
    {
      fieldErrors: faults,
    },
  )
}
