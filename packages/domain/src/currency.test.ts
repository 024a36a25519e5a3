import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { currencies, formatAmount, isCurrency, knownCurrencies, minorUnitDigits } from './currency'

describe('ISO 4217', () => {
  test.each([
    ['MAD', 2],
    ['EUR', 2],
    ['JPY', 0],
    ['TND', 3],
    ['XAF', 0],
    ['XOF', 0],
    ['XCG', 2],
    ['BGN', 2],
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

const shared = process.env['SHARED_DIR'] ?? join(__dirname, '../../../../shared')
const rules = join(shared, 'en16931', 'EN16931-UBL-validation.xslt')
const hasRules = existsSync(rules)
if (!hasRules) process.stderr.write(`SKIPPED: no EN 16931 rules in ${shared}\n`)

describe('the currencies of new invoices', () => {
  test('are those of the stored ones, without the former ones', () => {
    const former = knownCurrencies.filter((code) => !currencies.includes(code))
    expect(former).toEqual(['ANG', 'BGN', 'CUC', 'STN'])
    expect(currencies).toContain('XCG')
    expect(currencies.every(isCurrency)).toBe(true)
  })

  ;(hasRules ? test : test.skip)('are those of BR-CL-04 that are money', () => {
    const text = readFileSync(rules, 'utf8')
    const rule = text.slice(0, text.indexOf('>BR-CL-04<'))
    const list = rule.slice(rule.lastIndexOf("contains(' AED "))
    const codes = /contains\('([A-Z ]+)'/.exec(list)?.[1]?.trim().split(' ') ?? []
    // Neither money nor of ISO 4217, but for STD, which was withdrawn in 2018.
    const others = 'CNH STD XAG XAU XBA XBB XBC XBD XDR XPD XPT XSU XTS XUA XXX'.split(' ')
    expect(currencies).toEqual(codes.filter((code) => !others.includes(code)).sort())
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
