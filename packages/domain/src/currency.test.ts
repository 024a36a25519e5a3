import { formatAmount, isCurrency, minorUnitDigits } from './currency'

describe('ISO 4217', () => {
  test.each([
    ['MAD', 2],
    ['EUR', 2],
    ['JPY', 0],
    ['TND', 3],
    ['XAF', 0],
    ['XOF', 0],
  ])('%s has %i minor digits', (code, digits) => {
    expect(isCurrency(code)).toBe(true)
    expect(minorUnitDigits(code)).toBe(digits)
  })

  test.each([
    'XAU',
    'XAG',
    'XTS',
    'XXX',
    'XDR',
    'mad',
    'Mad',
    'MA',
    'MADX',
    'DEM',
    '',
    'constructor',
  ])('%j cannot be the currency of an invoice', (code) => {
    expect(isCurrency(code)).toBe(false)
    expect(() => minorUnitDigits(code)).toThrow(RangeError)
  })
})

describe('formatAmount', () => {
  test.each([
    [1250, 'MAD', '12.50'],
    [-5, 'MAD', '-0.05'],
    [0, 'TND', '0.000'],
    [1250, 'JPY', '1250'],
    [999_999_999_999_999, 'TND', '999999999999.999'],
  ])('%i minor units of %s are %s', (minorUnits, currency, text) =>
    expect(formatAmount(minorUnits, currency)).toBe(text),
  )
})
