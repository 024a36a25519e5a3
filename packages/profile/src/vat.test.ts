import { fromVatIdentifier, toVatIdentifier } from './identifiers'
import { toVatCategory, vatRates } from './vat'

it.each([
  [0, 'E'],
  [7, 'S'],
  [10, 'S'],
  [14, 'S'],
  [20, 'S'],
])('puts the rate %d into the category %s', (rate, category) => {
  expect(vatRates).toContain(rate)
  expect(toVatCategory(rate)).toBe(category)
})

it('has no other rate', () => {
  expect(vatRates).toHaveLength(5)
})

it('writes a VAT identifier with its country, and reads it back', () => {
  expect(toVatIdentifier('12345678')).toBe('MA12345678')
  expect(fromVatIdentifier('MA12345678')).toBe('12345678')
  expect(fromVatIdentifier(toVatIdentifier('MA1'))).toBe('MA1')
  expect(fromVatIdentifier('12345678')).toBe('12345678')
})
