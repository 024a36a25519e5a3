import type { Font, Glyph } from 'fontkit'

// A glyph of two characters (µ and μ) is in the set twice, so that a reader copies the one written.
type GlyphKey = string

/** The number (CID) is the one in the document's text. */
export class GlyphSet {
  readonly glyphs: Glyph[]
  private readonly numbers: Map<GlyphKey, number>

  private constructor(glyphs: readonly Glyph[], numbers: ReadonlyMap<GlyphKey, number>) {
    this.glyphs = [...glyphs]
    this.numbers = new Map(numbers)
  }

  /** With only the glyph for missing characters, which every font must begin with. */
  static of(font: Font): GlyphSet {
    return new GlyphSet([font.getGlyph(0)], new Map())
  }

  copy(): GlyphSet {
    return new GlyphSet(this.glyphs, this.numbers)
  }

  find(glyph: Glyph): number | undefined {
    return this.numbers.get(toGlyphKey(glyph))
  }

  add(glyph: Glyph): number {
    const known = this.find(glyph)
    if (known !== undefined) return known
    this.numbers.set(toGlyphKey(glyph), this.glyphs.length)
    return this.glyphs.push(glyph) - 1
  }
}

function toGlyphKey({ id, codePoints }: Glyph): GlyphKey {
  return `${id} ${codePoints.join(' ')}`
}
