import { Decimal } from './decimal'
import { computeLineAmount } from './totals'

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
