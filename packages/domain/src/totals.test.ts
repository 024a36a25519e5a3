import { Decimal } from './decimal'
import { computeLineAmount, computeVat } from './totals'

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

it.each([
  [300_000n, 20, 60_000n],
  [-300_000n, 20, -60_000n],
  [13n, 20, 3n],
  [-13n, 20, -3n],
  [12n, 20, 2n],
  [-12n, 20, -2n],
])('VAT of %s at %s %% is %s', (taxable, vatRate, vat) => {
  expect(computeVat(taxable, vatRate)).toBe(vat)
})
