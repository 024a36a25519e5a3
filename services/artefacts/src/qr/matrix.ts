import QRCode from 'qrcode'

/** In modules. */
export const quietZone = 4

export interface QrMatrix {
  /** Modules per side. */
  size: number
  /** Adjacent dark modules of a row, joined. */
  bars: { row: number; column: number; length: number }[]
}

let last: { text: string; matrix: QrMatrix } | undefined

/** Throws for more than 2,331 bytes. Caches the last: the PDF and the image need the same. */
export function qrMatrix(text: string): QrMatrix {
  if (last?.text !== text) last = { text, matrix: makeMatrix(text) }
  return last.matrix
}

function makeMatrix(text: string): QrMatrix {
  // Searching for a shorter mix of modes takes ten times as long and finds none in a URL.
  const segment = { data: Buffer.from(text), mode: 'byte' } as const
  const { size, data } = QRCode.create([segment], { errorCorrectionLevel: 'M' }).modules
  const bars: QrMatrix['bars'] = []
  for (let row = 0; row < size; row += 1) {
    let column = 0
    while (column < size) {
      const start = column
      while (column < size && data[row * size + column]) column += 1
      if (column > start) bars.push({ row, column: start, length: column - start })
      else column += 1
    }
  }
  return { size, bars }
}
