import fc from 'fast-check'
import {
  invoiceNumberError,
  invoiceNumberForms,
  invoiceNumberPattern,
  normalizeInvoiceNumber,
} from './invoice-number'

// By Unicode's own properties, where ours are ranges that every dialect can read.
const invisible =
  /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]|[^\P{Zs} ]|[\u2011\u0F0C\u2800]/u

it('rejects every invisible character at any position, and no other', () => {
  const pattern = new RegExp(invoiceNumberPattern('\\uD800-\\uDFFF'), 'u')
  const wrong: string[] = []
  for (let code = 0; code <= 0x10ffff; code += 1) {
    if (code >= 0xd800 && code <= 0xdfff) continue
    const character = String.fromCodePoint(code)
    const number = `F${character}1`
    const isRejected = invoiceNumberError(number) !== undefined
    const isRejectedByPattern = isRejected && code <= 0xffff
    if (pattern.test(number) === isRejectedByPattern)
      wrong.push(`U+${code.toString(16)} by the pattern`)
    // Some unassigned characters are rejected for what they are reserved for.
    const isOurs = isRejected === invisible.test(character) || /\p{Cn}/u.test(character)
    if (!isOurs) wrong.push(`U+${code.toString(16)}`)
  }
  expect(wrong).toEqual([])
})

it.each([
  [' F-1', 'must not begin or end with a space'],
  ['F-1 ', 'must not begin or end with a space'],
  ['', 'must not be blank'],
  ['   ', 'must not be blank'],
  ['F-1\t', expect.stringContaining('U+0009 (at position 4)')],
  ['F-1\u00a0', expect.stringContaining('U+00A0')],
  ['F\u200b-1', expect.stringContaining('U+200B')],
  ['F\u202e-1', expect.stringContaining('U+202E')],
  ['\ufeffF-1', expect.stringContaining('U+FEFF')],
  ['F\u{e0041}', expect.stringContaining('U+E0041')],
])('%j is rejected', (number, problem) => {
  expect(invoiceNumberError(number)).toEqual(problem)
  const isRejectedByPattern = !/[^\0-\uFFFF]/u.test(number)
  expect(new RegExp(invoiceNumberPattern(''), 'u').test(number)).toBe(!isRejectedByPattern)
})

it.each(['F-1', 'F 1', 'F  1', 'N°12/2026', 'فاتورة-١', 'é', 'e\u0301', '😀', '发票1'])(
  '%j is a number',
  (number) => {
    expect(invoiceNumberError(number)).toBeUndefined()
    expect(new RegExp(invoiceNumberPattern(''), 'u').test(number)).toBe(true)
  },
)

it('is the same number in every form', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (number) => {
      const forms = invoiceNumberForms(number)
      expect(new Set(forms.map(normalizeInvoiceNumber)).size).toBe(1)
      expect(forms).toContain(number)
      expect(forms).toContain(normalizeInvoiceNumber(number))
    }),
  )
  expect(invoiceNumberForms('F-1')).toEqual(['F-1'])
  expect(invoiceNumberForms('e\u0301')).toEqual(['e\u0301', 'é'])
})
