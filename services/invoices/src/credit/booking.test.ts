import fc from 'fast-check'
import { computeVat } from '@einvoicing/domain/totals'
import type { Credit, Invoice } from '@einvoicing/proto/invoice'
import { anInvoice } from '../store/testdata/invoices'
import { computeTotals } from '../totals'
import { bookCredit, bookRecoveredCredit } from './booking'
import { line } from './testdata/credits'

const rates = [20, 14, 10, 7, 0] as const

/** With these bases, in minor units, at those rates. */
const document = (bases: readonly number[], fields: Partial<Invoice> = {}) => {
  const lines = bases.flatMap((base, index) =>
    base === 0 ? [] : [line((base / 100).toFixed(2), rates[index])],
  )
  return anInvoice({ ...computeTotals(lines, 'MAD'), ...fields })
}
const sum = (numbers: readonly number[]) => numbers.reduce((total, each) => total + each, 0)
const sumBases = ({ bases }: Credit) => sum(bases.map(({ amount }) => amount))
const sumVat = ({ bases }: Credit) =>
  sum(bases.map(({ amount, vatRate }) => Number(computeVat(BigInt(amount), vatRate))))

test('the last of many originals is credited with its own part, not with what was rounded', () => {
  const originals = Array.from({ length: 6 }, () => document([100_03]))
  const note = document([500_16], { type: 'CREDIT_NOTE' })
  const amounts = bookCredit(note, originals, { isOpen: false }).map((each) => each.amountTtc)
  expect(amounts).toEqual([120_03, 120_03, 120_04, 120_04, 120_04, 1])
  expect(sum(amounts)).toBe(note.amountTtc)
})

test('amounts including VAT add up, and none is less than its bases', () => {
  const base = fc.oneof(
    fc.constant(0),
    fc.integer({ min: 1, max: 9 }),
    fc.integer({ min: 1, max: 1e6 }),
  )
  const bases = fc.array(base, { minLength: rates.length, maxLength: rates.length })
  const parts = fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { minLength: 5, maxLength: 5 })
  fc.assert(
    fc.property(fc.array(bases, { minLength: 1, maxLength: 20 }), parts, (all, credited) => {
      const originals = all.map((each) => document(each))
      const totals = rates.map((_, index) => sum(all.map((each) => each[index] ?? 0)))
      const part = totals.map((total, index) => Math.ceil(total * (credited[index] ?? 1)))
      const note = document(part, { type: 'CREDIT_NOTE' })
      for (const book of [bookCredit, bookRecoveredCredit]) {
        const credits = book(note, originals, { isOpen: false })
        expect(sum(credits.map(({ amountTtc }) => amountTtc))).toBe(note.amountTtc)
        for (const credit of credits) {
          expect(credit.amountTtc).toBeGreaterThanOrEqual(sumBases(credit))
        }
        const last = credits.findLast((credit) => credit.bases.length > 0)
        if (last) expect(last.amountTtc).toBe(sumBases(last) + sumVat(last))
      }
    }),
    { numRuns: 200 },
  )
})
