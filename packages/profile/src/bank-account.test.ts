import { hasCheckKey, hasIbanKey } from './bank-account'

it.each([
  ['011519000001205000534921', true],
  ['011519000001205000534922', false],
  ['001523467000017', true],
  ['001523467000018', false],
  ['', false],
  ['97x', false],
])('finds the key of the RIB or ICE %s right: %s', (digits, expected) => {
  expect(hasCheckKey(digits)).toBe(expected)
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
