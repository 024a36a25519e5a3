/**
 * The arithmetic of an invoice as the service does it: exact decimals, amounts in whole minor
 * units, half up. A preview while one types, and the VAT of each rate of what was stored; once
 * saved the service's own figures are shown.
 */

/** `units` divided by ten to the power of `scale`. */
export interface Exact {
  units: bigint
  scale: number
}

export interface TaxedAmount {
  vatRate: number
  /** In minor units, without VAT. */
  amount: bigint
}

export interface RateTotal {
  vatRate: number
  taxable: bigint
  vat: bigint
}

export interface Totals {
  /** The highest rate first. */
  rates: RateTotal[]
  ht: bigint
  vat: bigint
  ttc: bigint
}

/** Of plain notation with a point: `12`, `0.50`; `undefined` for anything else. */
export function readExact(text: string): Exact | undefined {
  const [, integer, fraction = ''] = /^(\d{1,30})(?:\.(\d{1,30}))?$/.exec(text) ?? []
  if (integer === undefined) return undefined
  return { units: BigInt(integer + fraction), scale: fraction.length }
}

/** quantity × unitPrice in minor units, of which there are ten to the power of `digits`. */
export function lineAmount(quantity: Exact, unitPrice: Exact, digits: number): bigint {
  const product = quantity.units * unitPrice.units
  const surplus = quantity.scale + unitPrice.scale - digits
  if (surplus <= 0) return product * 10n ** BigInt(-surplus)
  return halfUp(product, 10n ** BigInt(surplus))
}

export function totalsOf(lines: readonly TaxedAmount[]): Totals {
  const taxableByRate = new Map<number, bigint>()
  for (const { vatRate, amount } of lines) {
    taxableByRate.set(vatRate, (taxableByRate.get(vatRate) ?? 0n) + amount)
  }
  const rates = [...taxableByRate]
    .sort(([rate], [otherRate]) => otherRate - rate)
    .map(([vatRate, taxable]) => ({
      vatRate,
      taxable,
      vat: halfUp(taxable * BigInt(vatRate), 100n),
    }))
  const ht = sum(lines.map(({ amount }) => amount))
  const vat = sum(rates.map((rate) => rate.vat))
  return { rates, ht, vat, ttc: ht + vat }
}

/** From an amount as the service writes it: at most 15 digits, which a number holds exactly. */
export const toMinorUnits = (amount: number, digits: number): bigint =>
  BigInt(Math.round(amount * 10 ** digits))

export const fromMinorUnits = (units: bigint, digits: number): number =>
  Number(units) / 10 ** digits

// Nothing here is ever below zero.
const halfUp = (dividend: bigint, divisor: bigint) => (2n * dividend + divisor) / (2n * divisor)

const sum = (amounts: readonly bigint[]) => amounts.reduce((total, amount) => total + amount, 0n)
