/** The totals that the page previews while one types are those the service computes afterwards. */

import { currencies, minorUnitDigits } from '@einvoicing/domain/currency'
import { computeTotals } from '@einvoicing/invoices/totals'
import fc from 'fast-check'

// The page is of another compiler's configuration: taken as it is, without its types.
const page = jest.requireActual('../../dashboard/src/invoices/totals')
const money = jest.requireActual('../../dashboard/src/i18n/currencies')

const decimal = fc
  .tuple(fc.integer({ min: 0, max: 99_999 }), fc.stringMatching(/^[0-9]{0,6}$/))
  .map(([integer, fraction]) => (fraction === '' ? `${integer}` : `${integer}.${fraction}`))

const line = fc.record({
  quantity: decimal,
  unitPrice: decimal,
  vatRate: fc.constantFrom(0, 7, 10, 14, 20),
})

test('lines, rates and totals agree, to the minor unit', () => {
  const currency = fc.constantFrom('MAD', 'JPY', 'TND', 'CLF')
  fc.assert(
    fc.property(fc.array(line, { minLength: 1, maxLength: 8 }), currency, (lines, code) => {
      const decided = computeTotals(
        lines.map((one, index) => ({
          ...one,
          lineNumber: index + 1,
          description: 'x',
          amountHt: 0,
        })),
        code,
      )
      const amounts = lines.map(({ quantity, unitPrice, vatRate }) => ({
        vatRate,
        amount: page.lineAmount(
          page.readExact(quantity),
          page.readExact(unitPrice),
          minorUnitDigits(code),
        ),
      }))
      const { ht, vat, ttc, rates } = page.totalsOf(amounts)
      expect(amounts.map(({ amount }) => Number(amount))).toEqual(
        decided.lines.map(({ amountHt }) => amountHt),
      )
      expect([ht, vat, ttc].map(Number)).toEqual([
        decided.amountHt,
        decided.amountVat,
        decided.amountTtc,
      ])
      expect(
        rates.map((rate: any) => [rate.vatRate, Number(rate.taxable), Number(rate.vat)]),
      ).toEqual(
        decided.vatSubtotals.map((rate) => [rate.vatRate, rate.taxableAmount, rate.vatAmount]),
      )
    }),
  )
})

test('a half goes up, and what is no number is none', () => {
  const amount = (quantity: string, price: string) =>
    page.lineAmount(page.readExact(quantity), page.readExact(price), 2)
  expect([amount('1', '0.005'), amount('1', '0.0049'), amount('3', '0.125')]).toEqual([1n, 0n, 38n])
  expect(['', '1,5', '-1', '1e3', '.5', '1 000'].map(page.readExact)).toEqual(
    Array.from({ length: 6 }, () => undefined),
  )
})

test('every currency of the service is offered, with its digits', () => {
  expect([...money.currencies].sort()).toEqual([...currencies])
  const digits = (of: (code: string) => number) => currencies.map((code) => [code, of(code)])
  expect(digits(money.minorUnitDigits)).toEqual(digits(minorUnitDigits))
})
