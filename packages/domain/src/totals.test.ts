import { Decimal } from './decimal'
import { computeLineAmount, sumLines } from './totals'

test.each([
  ['1', '0.005', 2, 1n],
  ['1', '0.0049', 2, 0n],
  ['3', '0.125', 2, 38n],
  ['3', '0.5', 0, 2n],
  ['2', '1.2345', 3, 2_469n],
])('%s × %s with %d digits is %s minor units', (quantity, unitPrice, digits, expected) => {
  expect(computeLineAmount(Decimal.parse(quantity), Decimal.parse(unitPrice), digits)).toBe(
    expected,
  )
})

test('VAT is rounded once for each rate, the highest rate first', () => {
  const lines = [
    { vatRate: 7, amountHt: 7n },
    { vatRate: 20, amountHt: 2n },
    { vatRate: 7, amountHt: 8n },
    { vatRate: 0, amountHt: 100n },
  ]
  expect(sumLines(lines)).toEqual({
    subtotals: [
      { vatRate: 20, taxable: 2n, vat: 0n },
      { vatRate: 7, taxable: 15n, vat: 1n },
      { vatRate: 0, taxable: 100n, vat: 0n },
    ],
    amountHt: 117n,
    amountVat: 1n,
    amountTtc: 118n,
  })
})
