import type { PdfDocument } from '../text/pdf-document'
import { quietZone, type QrMatrix } from '../qr/matrix'

// In points: a scan of 100 dpi, as a fax makes it, has 2.6 pixels a module.
const moduleMin = 1.9
const side = { min: 100, max: 210 } as const

/** In points, quiet zone included. */
export function qrSide({ size }: QrMatrix): number {
  return Math.min(side.max, Math.max(side.min, (size + 2 * quietZone) * moduleMin))
}

export function drawQr(
  document: PdfDocument,
  matrix: QrMatrix,
  at: { x: number; y: number },
): void {
  const width = qrSide(matrix)
  const module = width / (matrix.size + 2 * quietZone)
  document.rect(at.x, at.y, width, width).fill('#ffffff')
  // One string of operators: a call for each bar takes ten times as long.
  const start = `${at.x + quietZone * module} ${at.y + quietZone * module}`
  const bars = matrix.bars.map(({ row, column, length }) => `${column} ${row} ${length} 1 re`)
  const operators = ['q', `${module} 0 0 ${module} ${start} cm`, '0 g', ...bars, 'f', 'Q', '']
  document.addContent(Buffer.from(operators.join('\n'), 'latin1'))
}
