/** The QR code as a PNG image, large enough to be printed. */

import QRCode from 'qrcode'
import { qrMatrix, quietZone } from './matrix'

const sideMinPixels = 480

/** Black on white with its quiet zone, at least 480 pixels wide, every module a whole number of pixels. */
export function drawQrPng(text: string): Promise<Buffer> {
  const modules = qrMatrix(text).size + 2 * quietZone
  return QRCode.toBuffer(text, {
    type: 'png',
    errorCorrectionLevel: 'M',
    margin: quietZone,
    scale: Math.max(4, Math.ceil(sideMinPixels / modules)),
  })
}
