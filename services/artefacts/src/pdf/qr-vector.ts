import type { PdfDocument } from '../text/pdf-document'
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
  // As one text of operators, in modules: a call for each bar takes ten times as long.
  const start = `${at.x + quietZone * module} ${at.y + quietZone * module}`
  const bars = matrix.bars.map(({ row, column, length }) => `${column} ${row} ${length} 1 re`)
  const operators = ['q', `${module} 0 0 ${module} ${start} cm`, '0 g', ...bars, 'f', 'Q', '']
  document.addContent(Buffer.from(operators.join('\n'), 'latin1'))
}
