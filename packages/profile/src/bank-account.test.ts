import { hasIbanKey, hasRibKey, toIban } from './bank-account'

it.each([
  ['011519000001205000534921', true],
  ['011519000001205000534922', false],
  ['01151900000120500053492', false],
  ['', false],
])('finds the key of the RIB %s right: %s', (rib, expected) => {
  expect(hasRibKey(rib)).toBe(expected)
})

it.each([
  ['MA64011519000001205000534921', true],
  ['MA65011519000001205000534921', false],
  ['GB82WEST12345698765432', true],
  ['GB82WEST12345698765431', false],
  ['MA64 0115', false],
])('finds the check digits of the IBAN %s right: %s', (iban, expected) => {
  expect(hasIbanKey(iban)).toBe(expected)
})

it('makes the IBAN of a RIB', () => {
  expect(toIban('011519000001205000534921')).toBe('MA64011519000001205000534921')
  expect(hasIbanKey(toIban('000000000000000000000000'))).toBe(true)
})
