/** EN 16931 BR-CO-10 to BR-CO-17. */

import type { Decimal } from './decimal'

export function computeLineAmount(quantity: Decimal, unitPrice: Decimal, digits: number): bigint {
  return quantity.times(unitPrice).toMinorUnits(digits)
}

/** Half away from zero. A base is negative only in a preview. */
export function computeVat(taxable: bigint, vatRate: number): bigint {
  const hundredths = taxable * BigInt(vatRate)
  return (hundredths < 0n ? hundredths - 50n : hundredths + 50n) / 100n
}
