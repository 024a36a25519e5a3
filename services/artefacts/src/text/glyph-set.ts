import type { Font, Glyph } from 'fontkit'

// A glyph that stands for two characters (µ and μ) is in the set twice, so that a reader copies out
// the one that was written.
type GlyphKey = string

/** The glyphs of an embedded font by the number (CID) that a document's text names them by. */
export class GlyphSet {
  readonly glyphs: Glyph[]
  private readonly numbers: Map<GlyphKey, number>

  private constructor(glyphs: readonly Glyph[], numbers: ReadonlyMap<GlyphKey, number>) {
    this.glyphs = [...glyphs]
    this.numbers = new Map(numbers)
  }

  /** With nothing but the glyph for what is missing, which every font must begin with. */
  static of(font: Font): GlyphSet {
    return new GlyphSet([font.getGlyph(0)], new Map())
  }

  copy(): GlyphSet {
    return new GlyphSet(this.glyphs, this.numbers)
  }

  find(glyph: Glyph): number | undefined {
    return this.numbers.get(keyOf(glyph))
  }

  add(glyph: Glyph): number {
    const known = this.find(glyph)
    if (known !== undefined) return known
    this.numbers.set(keyOf(glyph), this.glyphs.length)
    return this.glyphs.push(glyph) - 1
  }
}

function keyOf({ id, codePoints }: Glyph): GlyphKey {
  return `${id} ${codePoints.join(' ')}`
}
