import fc from 'fast-check'
import PDFDocument from 'pdfkit'
import { limitParagraphs, splitParagraphs, replacement } from './characters'
import { openFaces } from './fonts'
import { splitRuns } from './runs'
import { Typesetter } from './typesetter'
import { paragraph, visualPieces } from './visual-order'
import { wrapParagraph } from './wrap'

const faces = openFaces()
const set = new Typesetter(new PDFDocument({ font: '', autoFirstPage: true }), faces)
const style = { size: 9 } as const

function pieces(text: string): string[] {
  return visualPieces(paragraph(text), { start: 0, end: text.length })
}

describe('visual order', () => {
  it('leaves text from left to right alone', () => {
    expect(pieces('Facture (2026)')).toEqual(['Facture (2026)'])
  })

  it('turns the words of an Arabic text, each as it is spoken', () => {
    expect(pieces('شركة النور')).toEqual(['النور', ' ', 'شركة'])
    expect(paragraph('شركة النور').isRightToLeft).toBe(true)
  })

  it('keeps numbers and Latin words in Arabic from left to right', () => {
    expect(pieces('النور 2000 SARL').join('')).toBe('SARL 2000 النور')
  })

  it('turns Arabic within French and mirrors its brackets', () => {
    expect(pieces('Sté النور (فاس) SARL').join('|')).toBe('Sté |(|فاس|)| |النور| SARL')
    expect(paragraph('Sté النور').isRightToLeft).toBe(false)
  })

  it('loses and invents no character', () => {
    const text = fc.string({ unit: fc.constantFrom(...'aé1 (-)،شركة٣%.'), maxLength: 40 })
    const sorted = (text: string) => [...text].sort().join('')
    const unmirrored = (text: string) => text.replaceAll(')', '(')
    fc.assert(
      fc.property(text, (text) => {
        expect(sorted(unmirrored(pieces(text).join('')))).toBe(sorted(unmirrored(text)))
      }),
    )
  })
})

describe('faces', () => {
  const drawnWith = (text: string) =>
    splitRuns(text, faces.regular).map(({ text, face }) => [text, face.name])

  it('are chosen by what they cover', () => {
    expect(drawnWith('Café à 5 €')).toEqual([['Café à 5 €', 'NotoSans-Regular']])
    expect(drawnWith('شركة')).toEqual([['شركة', 'IBMPlexSansArabic-Regular']])
    expect(drawnWith('ⵜⴰⵎⴰⵣⵉⵖⵜ')).toEqual([['ⵜⴰⵎⴰⵣⵉⵖⵜ', 'DejaVuSans']])
  })

  it('cover the no-break spaces of numbers', () => {
    expect(drawnWith('1\u202F234\u00A0%')).toHaveLength(1)
  })

  it('become a visible replacement, never nothing', () => {
    expect(drawnWith('中')).toEqual([[replacement, 'NotoSans-Regular']])
    expect(drawnWith('\u0007')).toEqual([[replacement, 'NotoSans-Regular']])
    // Private use: DejaVuSans has a glyph, PDF/A-3a allows none.
    expect(drawnWith('\uF001')).toEqual([[replacement, 'NotoSans-Regular']])
  })

  it('invisible characters draw nothing', () => {
    expect(drawnWith('a\u200E\u00AD\uFEFFb')).toEqual([['ab', 'NotoSans-Regular']])
  })
})

describe('plain words', () => {
  it('shaped from pairs, equal the text shaped as a whole', () => {
    const ascii = fc.integer({ min: 0x20, max: 0x7e })
    const others = fc.constantFrom(0x202f, ...Array.from({ length: 0x60 }, (_, i) => 0xa0 + i))
    const unit = fc
      .oneof(
        ascii,
        others.filter((code) => code !== 0xad),
      )
      .map((code) => String.fromCharCode(code))
    fc.assert(
      fc.property(fc.string({ unit, minLength: 1 }), (word) => {
        for (const { font, shape } of [faces.regular[0], faces.bold[0]]) {
          const whole = font.layout(word, { liga: false })
          const { glyphs, width } = shape(word)
          expect(glyphs.map(({ glyph }) => glyph.id)).toEqual(whole.glyphs.map(({ id }) => id))
          expect(width).toBeCloseTo((whole.advanceWidth * 1000) / font.unitsPerEm, 6)
        }
      }),
    )
  })

  it('of known pairs are not shaped', () => {
    const { font, shape } = faces.regular[0]
    shape('répare')
    const layout = jest.spyOn(font, 'layout')
    expect(shape('épare').glyphs).toHaveLength(5)
    expect(layout).not.toHaveBeenCalled()
    layout.mockRestore()
  })
})

describe('paragraphs', () => {
  it('end at every kind of line end', () => {
    expect(splitParagraphs('a\nb\r\nc\u2028d\te')).toEqual(['a', 'b', 'c', 'd e'])
  })

  it('never have two empty ones in a row, and those beyond a limit become one', () => {
    expect(splitParagraphs('\n\n\na\n \n\n\nb\n\n')).toEqual(['', 'a', '', 'b', ''])
    expect(limitParagraphs('a\nb\n\nc\nd', 2)).toBe('a\nb c d')
    expect(limitParagraphs('a\r\nb ', 2)).toBe('a\r\nb ')
    expect(limitParagraphs('a\n\nb', 1)).toBe('a b')
  })

  it('are composed and trimmed, plain or not', () => {
    expect(splitParagraphs('\u00A0Café, 5\u202F% ')).toEqual(['Café, 5\u202F%'])
    expect(splitParagraphs(' Cafe\u0301\u0085')).toEqual(['Café', ''])
  })

  it('text cannot be displayed in another order than stored', () => {
    expect(splitParagraphs('total \u202E00,01\u202C')).toEqual(['total 00,01'])
  })
})

describe('lines', () => {
  const wrapped = (text: string, width: number) =>
    set
      .wrap(text, style, width)
      .map(({ paragraph, span }) => paragraph.text.slice(span.start, span.end))

  it('break between words, at hyphens of compounds and slashes, not in numbers', () => {
    expect(wrapped('un deux trois', set.width('un deux', style))).toEqual(['un deux', 'trois'])
    expect(wrapped('porte-clés', set.width('porte-c', style))).toEqual(['porte-', 'clés'])
    expect(wrapped('prix 1\u202F234,00', set.width('prix 1\u202F234', style))).toEqual([
      'prix',
      '1\u202F234,00',
    ])
    expect(wrapped('net -5', set.width('net -', style))).toEqual(['net', '-5'])
  })

  it('break a word that is wider than the column', () => {
    expect(wrapped('aaaaaa', set.width('aaa', style) + 0.1)).toEqual(['aaa', 'aaa'])
  })

  it.each(['ئ', 'ب', 'لا', 'र्क्र', 'كَّ', 'W\u0301', 'W'])(
    'do not break a word that fits, however its letters join: %s',
    (letters) => {
      const word = letters.repeat(80).normalize()
      expect(wrapped(word, set.width(word, style))).toEqual([word])
    },
  )

  it('break a word that is several times wider without shaping it', () => {
    const measured: string[] = []
    const measure = (text: string) => {
      measured.push(text)
      return set.width(text, style)
    }
    const column = set.width('شركة'.repeat(5), style)
    wrapParagraph(paragraph('شركة'.repeat(100)), column, measure)
    expect(measured.filter((text) => text.length > 1)).toEqual([])
  })

  it('one empty line for an empty text', () => {
    expect(wrapped('', 100)).toEqual([''])
  })

  it('stay within their column and lose nothing but spaces, whatever the text', () => {
    const unit = fc.constantFrom(...'aWé- /1شركة中\u202F\u0301\n', '😀', '\u202E')
    fc.assert(
      fc.property(
        fc.string({ unit, maxLength: 80 }),
        fc.integer({ min: 20, max: 200 }),
        (text, width) => {
          const lines = wrapped(text, width)
          for (const line of lines) expect(set.width(line, style)).toBeLessThanOrEqual(width + 1)
          const ink = (text: string) => text.replaceAll(/[\s]/g, '')
          expect(ink(lines.join(''))).toBe(ink(splitParagraphs(text).join('')))
        },
      ),
    )
  })
})
