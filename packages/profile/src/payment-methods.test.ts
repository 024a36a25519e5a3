import {
  findPaymentMethod,
  frenchPaymentMethod,
  paymentMethods,
  toPaymentMeansCode,
} from './payment-methods'

it.each([
  ['BANK_TRANSFER', '30', '42', 'Virement bancaire'],
  ['CASH', '10', '10', 'Espèces'],
  ['CHECK', '20', '20', 'Chèque'],
  ['CARD', '48', '48', 'Carte bancaire'],
  ['OTHER', '1', '1', 'Autre moyen de paiement'],
] as const)('writes and reads %s', (method, withAccount, withoutAccount, french) => {
  expect(toPaymentMeansCode(method, { hasAccount: true })).toBe(withAccount)
  expect(toPaymentMeansCode(method, { hasAccount: false })).toBe(withoutAccount)
  expect(findPaymentMethod(withAccount)).toBe(method)
  expect(findPaymentMethod(withoutAccount)).toBe(method)
  expect(frenchPaymentMethod(method)).toBe(french)
})

it('reads every method back, whether or not the seller has an account', () => {
  for (const method of paymentMethods) {
    for (const hasAccount of [true, false]) {
      expect(findPaymentMethod(toPaymentMeansCode(method, { hasAccount }))).toBe(method)
    }
  }
})

it('writes an unspecified method as an instrument that is not defined', () => {
  expect(toPaymentMeansCode('PAYMENT_METHOD_UNSPECIFIED', { hasAccount: true })).toBe('1')
  expect(frenchPaymentMethod('PAYMENT_METHOD_UNSPECIFIED')).toBe('Non précisé')
})

it.each(['97', '', '030', 'constructor'])('finds no method for the code %j', (code) => {
  expect(findPaymentMethod(code)).toBeUndefined()
})
