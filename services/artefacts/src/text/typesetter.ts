/**
 * Sets text on a pdfkit document: wraps it, chooses faces, orders directions, places each piece.
 *
 * Refuses nothing: what cannot be drawn is seen as a replacement character, a word wider than its column is broken.
 */

import type PDFDocument from 'pdfkit'
import { isInvisible, paragraphsOf } from './characters'
import type { Faces, Weight } from './fonts'
import { runsOf } from './runs'
import { paragraph, visualPieces, type Paragraph, type Span } from './visual-order'

export type PdfDocument = InstanceType<typeof PDFDocument>

export interface Style {
  /** In points. */
  size: number
  weight?: Weight
  /** `#rrggbb`. */
  color?: string
}

export type Align = 'left' | 'right' | 'center'

/** One line, ready to be drawn. */
export interface Line {
  paragraph: Paragraph
  span: Span
}

/** Distance between base lines, as a factor of the size. */
export const leading = 1.32

// Of the size: where the base line lies below the top of a line, so that capitals sit in its middle.
const baseline = 1.02

// After spaces that may break (not U+00A0, not U+202F), inside « porte-clés » but not in « -5 », after a slash.
const breaks =
  /(?<=[ \u2000-\u2006\u2008-\u200B\u3000])(?=[^ ])|(?<=\p{L}[-\u2010])(?=\p{L})|(?<=[/\u00AD])(?=[^\s/])/u

export class Typesetter {
  private readonly document: PdfDocument
  private readonly faces: Faces

  constructor(document: PdfDocument, faces: Faces) {
    this.document = document
    this.faces = faces
    for (const { name, font } of [...faces.regular, ...faces.bold]) {
      // pdfkit takes an opened font as well as bytes; its types do not say so.
      document.registerFont(name, font as unknown as Uint8Array)
    }
  }

  /** Width in points of one line, spaces at its end included. */
  width(text: string, style: Style): number {
    let width = 0
    for (const run of runsOf(text, this.faces[style.weight ?? 'regular'])) {
      this.document.font(run.face.name, style.size)
      width += this.document.widthOfString(run.text)
    }
    return width
  }

  /** The lines of a text no wider than `width` points; one empty line for an empty text. */
  wrap(text: string, style: Style, width: number): Line[] {
    return paragraphsOf(text).flatMap((text) => this.wrapParagraph(paragraph(text), style, width))
  }

  /** Draws lines below one another from `y` down; returns where the next would begin. */
  drawLines(lines: readonly Line[], style: Style, box: Box): number {
    let { y } = box
    for (const line of lines) {
      this.drawLine(line, style, { ...box, y })
      y += style.size * leading
    }
    return y
  }

  /** Wraps and draws; returns where the next line would begin. */
  text(text: string, style: Style, box: Box): number {
    return this.drawLines(this.wrap(text, style, box.width), style, box)
  }

  /** Draws on one line, smaller than asked when it would not fit the box otherwise. */
  fit(text: string, style: Style, box: Box): void {
    const natural = this.width(text, style)
    const size = natural > box.width ? (style.size * box.width) / natural : style.size
    // The base line stays where it was, so that a row of figures stays level.
    const y = box.y + (style.size - size) * baseline
    const line = paragraph(paragraphsOf(text).join(' '))
    this.drawLine(
      { paragraph: line, span: { start: 0, end: line.text.length } },
      { ...style, size },
      { ...box, y },
    )
  }

  private drawLine({ paragraph, span }: Line, style: Style, box: Box): void {
    const faces = this.faces[style.weight ?? 'regular']
    const runs = visualPieces(paragraph, span).flatMap((piece) => runsOf(piece, faces))
    const placed = runs.map((run) => {
      this.document.font(run.face.name, style.size)
      return { run, width: this.document.widthOfString(run.text) }
    })
    const width = placed.reduce((sum, { width }) => sum + width, 0)
    let x = box.x + (box.width - width) * share(box.align, paragraph.isRightToLeft)
    this.document.fillColor(style.color ?? '#000000')
    for (const { run, width } of placed) {
      this.document.font(run.face.name, style.size)
      this.document.text(run.text, x, box.y + style.size * baseline, {
        lineBreak: false,
        baseline: 'alphabetic',
      })
      x += width
    }
  }

  private wrapParagraph(paragraph: Paragraph, style: Style, width: number): Line[] {
    const { text } = paragraph
    const lines: Line[] = []
    let start = 0
    let end = 0
    let filled = 0
    const finish = () => {
      lines.push({
        paragraph,
        span: { start, end: start + text.slice(start, end).trimEnd().length },
      })
      start = end
      filled = 0
    }
    for (const part of this.parts(text, style, width)) {
      if (filled + part.inkWidth > width && end > start) finish()
      end += part.text.length
      filled += part.width
    }
    finish()
    return lines
  }

  /** What may stand at the end of a line, with spaces counted (`width`) and not (`inkWidth`). */
  private *parts(text: string, style: Style, widthMax: number) {
    for (const part of text.split(breaks)) {
      const inkWidth = this.width(part.trimEnd(), style)
      if (inkWidth <= widthMax) yield { text: part, width: this.width(part, style), inkWidth }
      else yield* this.broken(part, style)
    }
  }

  private *broken(word: string, style: Style) {
    for (const text of word) {
      const width = isInvisible(text.codePointAt(0) as number) ? 0 : this.width(text, style)
      yield { text, width, inkWidth: width }
    }
  }
}

/** Where text goes, in points from the top left of the page. */
export interface Box {
  x: number
  y: number
  width: number
  /** Without it, text begins at the side from which it reads. */
  align?: Align | undefined
}

function share(align: Align | undefined, isRightToLeft: boolean): number {
  if (align === 'center') return 0.5
  if (align === undefined) return isRightToLeft ? 1 : 0
  return align === 'right' ? 1 : 0
}
