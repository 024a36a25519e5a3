/** The arithmetic of an invoice (EN 16931 BR-CO-10 to BR-CO-17). */

import type { Decimal } from './decimal'

export interface TaxedAmount {
  /** Percent. */
  vatRate: number
  amountHt: bigint
}

/** In minor units. */
export interface Totals {
  subtotals: { vatRate: number; taxable: bigint; vat: bigint }[]
  amountHt: bigint
  amountVat: bigint
  amountTtc: bigint
}

export function computeLineAmount(quantity: Decimal, unitPrice: Decimal, digits: number): bigint {
  return quantity.times(unitPrice).toMinorUnits(digits)
}

/** VAT is rounded once for each rate, not for each line. */
export function sumLines(lines: readonly TaxedAmount[]): Totals {
  const taxableByRate = new Map<number, bigint>()
  for (const { vatRate, amountHt } of lines) {
    taxableByRate.set(vatRate, (taxableByRate.get(vatRate) ?? 0n) + amountHt)
  }
  const subtotals = [...taxableByRate]
    .sort(([rate], [otherRate]) => otherRate - rate)
    .map(([vatRate, taxable]) => ({ vatRate, taxable, vat: computeVat(taxable, vatRate) }))
  const amountHt = sum(lines.map((line) => line.amountHt))
  const amountVat = sum(subtotals.map(({ vat }) => vat))
  return { subtotals, amountHt, amountVat, amountTtc: amountHt + amountVat }
}

// Half up over non-negative integers: add half the divisor, drop the rest.
export function computeVat(taxable: bigint, vatRate: number): bigint {
  return (taxable * BigInt(vatRate) + 50n) / 100n
}

function sum(amounts: readonly bigint[]): bigint {
  return amounts.reduce((total, amount) => total + amount, 0n)
}
