import { embedFont } from './embedded-font'
import type { Face } from './fonts'
import type { GlyphSet } from './glyph-set'
import { showGlyphs, type ShapedWord, type ShownGlyphs } from './shaping'
import type { PdfDocument } from './pdf-document'

interface Place {
  /** Of the baseline, in points from the top left of the page. */
  x: number
  y: number
  size: number
}

/** Uses the shared glyphs until the document needs another one. */
export class DocumentFont {
  readonly name: string
  readonly reference: ReturnType<PdfDocument['ref']>
  private readonly document: PdfDocument
  private readonly face: Face
  private glyphs: GlyphSet

  constructor(document: PdfDocument, face: Face, number: number) {
    this.document = document
    this.face = face
    this.name = `F${number}`
    this.reference = document.ref({})
    this.glyphs = face.usualGlyphs
  }

  /** Use within `BT` and `ET`. */
  show(words: readonly ShapedWord[], { x, y, size }: Place): string {
    const operators = [`/${this.name} ${round(size)} Tf`]
    const unit = size / 1_000
    let left = x
    let row = ''
    // The origin of pages is at the top: letters are turned upright again.
    const begin = (at: { x: number; y: number }) => {
      operators.push(`1 0 0 -1 ${round(at.x)} ${round(at.y)} Tm`)
    }
    const finish = () => {
      if (row) operators.push(`[${row}] TJ`)
      row = ''
    }
    for (const word of words) {
      const shown = this.findGlyphs(word)
      for (const part of shown) {
        const isInRow = shown.length === 1 && part.x === 0 && part.y === 0
        if (row === '' || !isInRow) {
          finish()
          begin({ x: left + part.x * unit, y: y - part.y * unit })
        }
        row += part.operands
        if (!isInRow) finish()
      }
      left += word.width * unit
    }
    finish()
    return operators.join('\n')
  }

  embed(): void {
    embedFont(this.document, this.reference, { face: this.face, glyphs: this.glyphs })
  }

  private findGlyphs(word: ShapedWord): readonly ShownGlyphs[] {
    if (word.usual) return word.usual
    // The usual glyphs have the same numbers in the copy.
    if (this.glyphs === this.face.usualGlyphs) this.glyphs = this.glyphs.copy()
    return showGlyphs(word, this.glyphs)
  }
}

export function round(number: number): number {
  return Math.round(number * 1_000) / 1_000
}
