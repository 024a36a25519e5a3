import { isCreditable } from '@einvoicing/domain/creditable'
import { minorUnitDigits } from '@einvoicing/domain/currency'
import { Decimal } from '@einvoicing/domain/decimal'
import type { Invoice } from '../api/invoice'

interface Rate {
  vatCategory: string
  vatRate: number
}

interface Amounts {
  invoiced: bigint
  credited: bigint
  draft: bigint
}

export interface RateRemainder extends Rate, Amounts {
  left: bigint
}

/** Without invoices that cannot be credited: nothing is left of them, yet nothing was credited. */
export function computeRemainders(
  originals: readonly Invoice[],
  draft: readonly (Rate & { taxable: bigint })[],
): RateRemainder[] {
  const creditable = originals.filter(isCreditable)
  if (creditable.length === 0) return []
  const rows = new Map<string, Rate & Amounts>()
  const add = ({ vatCategory, vatRate }: Rate, name: keyof Amounts, units: bigint) => {
    const key = `${vatRate} ${vatCategory}`
    const none = { vatCategory, vatRate, invoiced: 0n, credited: 0n, draft: 0n }
    const row = rows.get(key) ?? none
    rows.set(key, { ...row, [name]: row[name] + units })
  }
  for (const { currency, vatBreakdown } of creditable) {
    const digits = minorUnitDigits(currency)
    const toUnits = (amount: number) => Decimal.fromNumber(amount).toMinorUnits(digits)
    for (const group of vatBreakdown) {
      const invoiced = toUnits(group.taxableAmount)
      add(group, 'invoiced', invoiced)
      add(group, 'credited', invoiced - toUnits(group.creditableAmount))
    }
  }
  // A line without a price yet credits nothing.
  for (const base of draft) if (base.taxable !== 0n) add(base, 'draft', base.taxable)
  return [...rows.values()]
    .map((row) => ({ ...row, left: row.invoiced - row.credited - row.draft }))
    .sort((one, other) => other.vatRate - one.vatRate)
}
