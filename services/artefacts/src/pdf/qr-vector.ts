import type { PdfDocument } from '../text/typesetter'
import { quietZone, type QrMatrix } from '../qr/matrix'

// A phone reads a module of 0.4 mm from paper without trouble.
const moduleMin = 1.15
const side = { min: 92, max: 210 } as const

/** Side in points, quiet zone included, at which the code is legible on paper. */
export function qrSide({ size }: QrMatrix): number {
  return Math.min(side.max, Math.max(side.min, (size + 2 * quietZone) * moduleMin))
}

/** Draws the code with its quiet zone, black on white, in a square of `qrSide`. */
export function drawQr(
  document: PdfDocument,
  matrix: QrMatrix,
  at: { x: number; y: number },
): void {
  const width = qrSide(matrix)
  const module = width / (matrix.size + 2 * quietZone)
  document.rect(at.x, at.y, width, width).fill('#ffffff')
  for (const { row, column, length } of matrix.bars) {
    const x = at.x + (column + quietZone) * module
    document.rect(x, at.y + (row + quietZone) * module, length * module, module)
  }
  document.fill('#000000')
}
