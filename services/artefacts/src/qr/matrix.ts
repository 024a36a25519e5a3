import QRCode from 'qrcode'

/** Modules of white that must surround the code. */
export const quietZone = 4

export interface QrMatrix {
  /** Modules a side. */
  size: number
  /** The dark modules, neighbours in a row joined. */
  bars: { row: number; column: number; length: number }[]
}

let last: { text: string; matrix: QrMatrix } | undefined

/**
 * Throws for a text past what a QR code can hold (2,331 bytes). The last one is remembered, as the
 * PDF of an invoice and its image hold the same code.
 */
export function qrMatrix(text: string): QrMatrix {
  if (last?.text !== text) last = { text, matrix: makeMatrix(text) }
  return last.matrix
}

function makeMatrix(text: string): QrMatrix {
  // One run of UTF-8: looking for a shorter mix of modes takes ten times as long and finds none in
  // an address.
  const segment = { data: Buffer.from(text), mode: 'byte' } as const
  const { size, data } = QRCode.create([segment], { errorCorrectionLevel: 'M' }).modules
  const bars: QrMatrix['bars'] = []
  for (let row = 0; row < size; row += 1) {
    for (let column = 0; column < size; column += 1) {
      if (!data[row * size + column]) continue
      const last = bars.at(-1)
      if (last?.row === row && last.column + last.length === column) last.length += 1
      else bars.push({ row, column, length: 1 })
    }
  }
  return { size, bars }
}
