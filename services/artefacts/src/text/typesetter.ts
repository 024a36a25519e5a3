import { splitParagraphs } from './characters'
import { DocumentFont, round } from './document-font'
import type { Face, Faces, Weight } from './fonts'
import type { PdfDocument } from './pdf-document'
import { shapeText, type ShapedRun, type ShapedText } from './shaped-text'
import { Tags } from './tags'
import { paragraph, visualPieces } from './visual-order'
import { wrapParagraph, type Line } from './wrap'

export interface Style {
  /** In points. */
  size: number
  weight?: Weight
  /** `#rrggbb`. */
  color?: string
}

export type Align = 'left' | 'right' | 'center'

/** In points from the top left of the page. */
export interface Box {
  x: number
  y: number
  width: number
  /** By default the side from which the text reads. */
  align?: Align | undefined
}

/** Distance of baselines, as a factor of the size. */
export const leading = 1.32

// As a factor of the size: centres capitals in their line.
const baseline = 1.02

/**
 * pdfkit would shape every text several times and build a font file for every document. Characters
 * without a glyph become replacement characters.
 */
export class Typesetter {
  readonly tags: Tags
  private readonly document: PdfDocument
  private readonly faces: Faces
  private readonly fonts = new Map<Face, DocumentFont>()

  constructor(document: PdfDocument, faces: Faces) {
    this.tags = new Tags(document)
    this.document = document
    this.faces = faces
  }

  /** Includes spaces at the end. */
  width(text: string, style: Style): number {
    return this.shape(text, style).width * style.size
  }

  /** One empty line for an empty text. */
  wrap(text: string, style: Style, width: number): Line[] {
    const measure = (part: string) => this.width(part, style)
    return splitParagraphs(text).flatMap((text) => wrapParagraph(paragraph(text), width, measure))
  }

  drawLines(lines: readonly Line[], style: Style, box: Box): number {
    const operators = lines.map((line, i) => {
      return this.setLine(line, style, { ...box, y: box.y + i * style.size * leading })
    })
    this.tags.text(operators.join(''))
    return box.y + lines.length * style.size * leading
  }

  text(text: string, style: Style, box: Box): number {
    return this.drawLines(this.wrap(text, style, box.width), style, box)
  }

  /** Smaller when it does not fit. */
  fit(text: string, style: Style, box: Box): void {
    const only = paragraph(splitParagraphs(text).join(' '))
    const natural = this.width(only.text, style)
    const size = natural > box.width ? (style.size * box.width) / natural : style.size
    const line = { paragraph: only, span: { start: 0, end: only.text.length } }
    // The baseline stays, so that numbers in a row are level.
    const y = box.y + (style.size - size) * baseline
    this.tags.text(this.setLine(line, { ...style, size }, { ...box, y }))
  }

  /** Call once, after the last text. */
  end(): void {
    this.tags.end()
    for (const font of this.fonts.values()) font.embed()
  }

  private setLine({ paragraph, span }: Line, style: Style, box: Box): string {
    const texts = visualPieces(paragraph, span).map((piece) => this.shape(piece, style))
    const width = texts.reduce((sum, { width }) => sum + width * style.size, 0)
    let x = box.x + (box.width - width) * indent(box.align, paragraph.isRightToLeft)
    const y = box.y + style.size * baseline
    const operators = ['BT', toFillColor(style.color ?? '#000000')]
    for (const run of texts.flatMap(({ runs }) => runs)) {
      operators.push(this.show(run, { x, y, size: style.size * run.face.scale }))
      x += run.width * style.size
    }
    return operators.length === 2 ? '' : [...operators, 'ET\n'].join('\n')
  }

  private show({ face, words }: ShapedRun, at: { x: number; y: number; size: number }): string {
    const font = this.fonts.get(face) ?? new DocumentFont(this.document, face, this.fonts.size + 1)
    this.fonts.set(face, font)
    const fonts = this.document.page.fonts as Record<string, unknown>
    fonts[font.name] ??= font.reference
    return font.show(words, at)
  }

  private shape(text: string, { weight }: Style): ShapedText {
    return shapeText(text, this.faces[weight ?? 'regular'])
  }
}

/** In the colour space that pdfkit uses for shapes. */
export function toFillColor(color: string): string {
  return `${toParts(color)} rg`
}

export function toStrokeColor(color: string): string {
  return `${toParts(color)} RG`
}

const partsByColor = new Map<string, string>()

/** Of a few colors, which are those of the theme. */
function toParts(color: string): string {
  const known = partsByColor.get(color)
  if (known !== undefined) return known
  const parts = [1, 3, 5].map((at) => parseInt(color.slice(at, at + 2), 16) / 255)
  const written = parts.map(round).join(' ')
  partsByColor.set(color, written)
  return written
}

function indent(align: Align | undefined, isRightToLeft: boolean): number {
  const side = align ?? (isRightToLeft ? 'right' : 'left')
  return { left: 0, center: 0.5, right: 1 }[side]
}
