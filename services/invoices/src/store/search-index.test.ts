import { foldUnit, SearchIndex } from './search-index'

const everyLetter = Array.from({ length: 0x10000 }, (_, unit) => String.fromCharCode(unit))

it('treats letters as equal that match each other', () => {
  const differing = everyLetter.filter((letter) =>
    [letter.toLowerCase(), letter.toUpperCase()]
      .filter((cased) => [...cased].length === 1)
      .some((cased) => foldUnit(cased.charCodeAt(0)) !== foldUnit(letter.charCodeAt(0))),
  )
  expect(differing).toEqual([])
  expect(foldUnit('é'.charCodeAt(0))).not.toBe(foldUnit('e'.charCodeAt(0)))
})

describe('the rows of a text', () => {
  const index = new SearchIndex()
  const texts = Array.from({ length: 20_000 }, (_, row) =>
    row % 3 === 0 ? `F-${String(row).padStart(8, '0')}` : `Société ${(row * 7919) % 997} SARL`,
  )
  texts.forEach((text, row) => index.add(row, text))
  const containing = (part: string) =>
    texts.flatMap((text, row) => (text.toLowerCase().includes(part.toLowerCase()) ? [row] : []))

  it.each(['F-00000300', '00019998', 'SOCIÉTÉ 12 ', ' 996 ', '199', 'absent'])(
    'contain %s, and few others',
    (part) => {
      const found = index.find(part, texts.length) ?? []
      const expected = containing(part)
      expect(expected.filter((row) => !found.includes(row))).toEqual([])
      expect(found.length).toBeLessThanOrEqual(16 * expected.length + 1_600)
      expect(Math.max(...found, 0)).toBeLessThan(texts.length)
    },
  )

  it('too many results, and texts shorter than a part, are not looked up', () => {
    const { length } = index.find('996', texts.length) ?? []
    expect(index.find('996', length)).toHaveLength(length)
    expect(index.find('996', length - 1)).toBeUndefined()
    expect(index.find('99', texts.length)).toBeUndefined()
  })

  it('are found by a text longer than all texts', () => {
    const long = new SearchIndex()
    long.add(7, 'x'.repeat(5_000) + 'END')
    expect(long.find('xEnd', 10)).toEqual([7])
    expect(long.find('xyz', 10)).toEqual([])
  })
})
