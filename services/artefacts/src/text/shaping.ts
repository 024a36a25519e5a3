/**
 * Words shaped once a thread instead of once a document: shaping is more than half of the work of
 * drawing.
 *
 * fontkit remembers each glyph with the first character it stood for, and pdfkit writes that
 * character into the document. So a word is shaped as if it were the first that its font has seen:
 * what a document holds never depends on the one before it.
 */

import type { Font, Glyph, GlyphPosition, GlyphRun } from 'fontkit'

const wordsRememberedMax = 5_000

/**
 * What pdfkit takes of a shaped word. It scales the positions in place, so each document gets its
 * own.
 */
class ShapedWord {
  readonly glyphs: Glyph[]
  readonly positions: GlyphPosition[]

  constructor({ glyphs, positions }: Pick<GlyphRun, 'glyphs' | 'positions'>) {
    this.glyphs = glyphs
    this.positions = positions.map((position) => ({ ...position }))
  }

  get advanceWidth(): number {
    return this.positions.reduce((sum, { xAdvance }) => sum + xAdvance, 0)
  }
}

/** The same font, remembering the words it has shaped. */
export function rememberingWords(font: Font): Font {
  const words = new Map<string, ShapedWord>()
  function layout(word: string): ShapedWord {
    let shaped = words.get(word)
    if (!shaped) {
      Object.assign(font, { _glyphs: {} })
      // Optional ligatures look finer, but a reader copies them out in the wrong order.
      shaped = new ShapedWord(font.layout(word, { liga: false }))
      if (words.size >= wordsRememberedMax) words.clear()
      words.set(word, shaped)
    }
    return new ShapedWord(shaped)
  }
  return Object.create(font, { layout: { value: layout } }) as Font
}
