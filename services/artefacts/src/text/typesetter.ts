import type PDFDocument from 'pdfkit'
import { paragraphsOf } from './characters'
import type { Face, Faces, Weight } from './fonts'
import { runsOf, type Run } from './runs'
import { paragraph, visualPieces } from './visual-order'
import { wrapParagraph, type Line } from './wrap'

export type PdfDocument = InstanceType<typeof PDFDocument>

export interface Style {
  /** In points. */
  size: number
  weight?: Weight
  /** `#rrggbb`. */
  color?: string
}

export type Align = 'left' | 'right' | 'center'

/** Where text goes, in points from the top left of the page. */
export interface Box {
  x: number
  y: number
  width: number
  /** Without it, text begins at the side from which it reads. */
  align?: Align | undefined
}

/** Distance between base lines, as a factor of the size. */
export const leading = 1.32

// Of the size: how far the base line lies below the top of a line, so that capitals sit in its
// middle.
const baseline = 1.02

/**
 * Sets text on a pdfkit document: wraps, chooses faces, orders directions. Characters without a
 * glyph become replacement characters; a word wider than its box is broken.
 */
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

  /** Width in points of a text on one line, spaces at its end included. */
  width(text: string, style: Style): number {
    const runs = runsOf(text, this.chooseFaces(style))
    return runs.reduce((sum, run) => sum + this.runWidth(run, style), 0)
  }

  /** The lines of a text no wider than `width` points; one empty line for an empty text. */
  wrap(text: string, style: Style, width: number): Line[] {
    const measure = (part: string) => this.width(part, style)
    return paragraphsOf(text).flatMap((text) => wrapParagraph(paragraph(text), width, measure))
  }

  /** Draws lines below one another from `y` down; returns where the next would begin. */
  drawLines(lines: readonly Line[], style: Style, box: Box): number {
    lines.forEach((line, i) => {
      this.drawLine(line, style, { ...box, y: box.y + i * style.size * leading })
    })
    return box.y + lines.length * style.size * leading
  }

  /** Wraps and draws; returns where the next line would begin. */
  text(text: string, style: Style, box: Box): number {
    return this.drawLines(this.wrap(text, style, box.width), style, box)
  }

  /** Draws on one line, smaller where it would not fit the box. */
  fit(text: string, style: Style, box: Box): void {
    const only = paragraph(paragraphsOf(text).join(' '))
    const natural = this.width(only.text, style)
    const size = natural > box.width ? (style.size * box.width) / natural : style.size
    const line = { paragraph: only, span: { start: 0, end: only.text.length } }
    // The base line stays where it was, so that numbers in a row stay level.
    const y = box.y + (style.size - size) * baseline
    this.drawLine(line, { ...style, size }, { ...box, y })
  }

  private drawLine({ paragraph, span }: Line, style: Style, box: Box): void {
    const runs = visualPieces(paragraph, span).flatMap((piece) => {
      return runsOf(piece, this.chooseFaces(style))
    })
    const placed = runs.map((run) => ({ run, width: this.runWidth(run, style) }))
    const width = placed.reduce((sum, { width }) => sum + width, 0)
    let x = box.x + (box.width - width) * indent(box.align, paragraph.isRightToLeft)
    const y = box.y + style.size * baseline
    this.document.fillColor(style.color ?? '#000000')
    for (const { run, width } of placed) {
      this.setFace(run.face, style)
      this.document.text(run.text, x, y, { lineBreak: false, baseline: 'alphabetic' })
      x += width
    }
  }

  private runWidth({ text, face }: Run, style: Style): number {
    this.setFace(face, style)
    return this.document.widthOfString(text)
  }

  private setFace({ name, scale }: Face, { size }: Style): void {
    this.document.font(name, size * scale)
  }

  private chooseFaces({ weight }: Style): Faces[Weight] {
    return this.faces[weight ?? 'regular']
  }
}

/** The share of the free space that stands before the text. */
function indent(align: Align | undefined, isRightToLeft: boolean): number {
  const side = align ?? (isRightToLeft ? 'right' : 'left')
  return { left: 0, center: 0.5, right: 1 }[side]
}
