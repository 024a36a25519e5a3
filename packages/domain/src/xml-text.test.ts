import fc from 'fast-check'
import { isBlank, isXmlText } from './xml-text'

/** Production [2] of XML 1.0, as its authors wrote it, one code point at a time. */
const isChar = (codePoint: number) =>
  codePoint === 0x9 ||
  codePoint === 0xa ||
  codePoint === 0xd ||
  (codePoint >= 0x20 && codePoint <= 0xd7ff) ||
  (codePoint >= 0xe000 && codePoint <= 0xfffd) ||
  (codePoint >= 0x10000 && codePoint <= 0x10ffff)

test('every UTF-16 code unit alone is judged as the production says', () => {
  const wrong: number[] = []
  for (let unit = 0; unit <= 0xffff; unit += 1)
    if (isXmlText(String.fromCharCode(unit)) !== isChar(unit)) wrong.push(unit)
  expect(wrong).toEqual([])
})

test('a text is checked by code points, surrogates paired or lone', () => {
  const units = fc.array(fc.integer({ min: 0, max: 0xffff }), { maxLength: 20 })
  const surrogates = fc.array(fc.integer({ min: 0xd7fe, max: 0xe001 }), { maxLength: 8 })
  fc.assert(
    fc.property(fc.oneof(units, surrogates), (codeUnits) => {
      const text = String.fromCharCode(...codeUnits)
      expect(isXmlText(text)).toBe([...text].every((char) => isChar(char.codePointAt(0)!)))
    }),
    { numRuns: 1_000 },
  )
})

test('accepts ordinary text', () => {
  for (const text of ['', 'Société & Fils <SARL>', 'فاتورة', '🧾', 'a\tb\r\nc', '\u0085\u2028'])
    expect(isXmlText(text)).toBe(true)
})

it('treats as blank what XPath does, not what only looks blank', () => {
  expect(isBlank(undefined)).toBe(true)
  expect(isBlank('')).toBe(true)
  expect(isBlank(' \t\r\n')).toBe(true)
  expect(isBlank('\u00A0')).toBe(false)
})
