/** The arithmetic of an invoice (EN 16931 BR-CO-10 to BR-CO-17). */

import type { Decimal } from './decimal'

export function computeLineAmount(quantity: Decimal, unitPrice: Decimal, digits: number): bigint {
  return quantity.times(unitPrice).toMinorUnits(digits)
}

// Half up over non-negative integers: add half the divisor, drop the rest.
export function computeVat(taxable: bigint, vatRate: number): bigint {
  return (taxable * BigInt(vatRate) + 50n) / 100n
}
