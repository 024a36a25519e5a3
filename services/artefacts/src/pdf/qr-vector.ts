/** The QR code drawn as shapes: sharp at any size, and smaller than an image. */

import type { PdfDocument } from '../text/typesetter'
import { quietZone, qrMatrix } from '../qr/matrix'

// A phone reads a module of 0.4 mm from paper without trouble.
const moduleMin = 1.15
const side = { min: 92, max: 210 } as const

/** Side in points, quiet zone included, that keeps the code legible on paper. */
export function qrSide(text: string): number {
  const modules = qrMatrix(text).size + 2 * quietZone
  return Math.min(side.max, Math.max(side.min, modules * moduleMin))
}

/** Draws `text` with its quiet zone, black on white, in a square of `qrSide(text)`. */
export function drawQr(document: PdfDocument, text: string, at: { x: number; y: number }): void {
  const matrix = qrMatrix(text)
  const width = qrSide(text)
  const module = width / (matrix.size + 2 * quietZone)
  document.rect(at.x, at.y, width, width).fill('#ffffff')
  for (const { row, column, length } of matrix.bars) {
    const x = at.x + (column + quietZone) * module
    document.rect(x, at.y + (row + quietZone) * module, length * module, module)
  }
  document.fill('#000000')
}
