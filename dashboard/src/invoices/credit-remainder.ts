/** For each VAT category and rate. */

import { minorUnitDigits } from '@einvoicing/domain/currency'
import { Decimal } from '@einvoicing/domain/decimal'
import type { Invoice } from '../api/invoice'

export interface RateRemainder {
  vatCategory: string
  vatRate: number
  invoiced: bigint
  credited: bigint
  draft: bigint
  left: bigint
}

type Bases = readonly { vatCategory: string; vatRate: number; taxable: bigint }[]

export function computeRemainders(
  originals: readonly Invoice[],
  creditNotes: readonly Invoice[],
  draft: Bases,
): RateRemainder[] {
  const rows = new Map<string, Omit<RateRemainder, 'left'>>()
  const add = (name: 'invoiced' | 'credited' | 'draft', bases: Bases) => {
    for (const { vatCategory, vatRate, taxable } of bases) {
      const key = `${vatRate} ${vatCategory}`
      const none = { vatCategory, vatRate, invoiced: 0n, credited: 0n, draft: 0n }
      const row = rows.get(key) ?? none
      rows.set(key, { ...row, [name]: row[name] + taxable })
    }
  }
  for (const original of originals) add('invoiced', readBases(original))
  for (const creditNote of creditNotes.filter(isLive)) add('credited', readBases(creditNote))
  // A line without a price yet credits nothing.
  add(
    'draft',
    draft.filter(({ taxable }) => taxable !== 0n),
  )
  return [...rows.values()]
    .map((row) => ({ ...row, left: row.invoiced - row.credited - row.draft }))
    .sort((one, other) => other.vatRate - one.vatRate)
}

function readBases({ currency, vatBreakdown }: Invoice): Bases {
  const digits = minorUnitDigits(currency)
  return vatBreakdown.map(({ taxableAmount, ...group }) => ({
    ...group,
    taxable: Decimal.fromNumber(taxableAmount).toMinorUnits(digits),
  }))
}

const liveStatuses: readonly Invoice['status'][] = ['SIGNED', 'TRANSMITTED', 'ACCEPTED', 'FAILED']

/** Drafts and failed or rejected credit notes do not count. */
const isLive = ({ status, dgiErrorCode }: Invoice): boolean =>
  liveStatuses.includes(status) && dgiErrorCode !== 'PRECEDING_INVOICE_REJECTED'
