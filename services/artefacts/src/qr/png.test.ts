import { sampleInvoice } from '../testdata/invoices'
import { itWith, runTool } from '../testdata/tools'
import { qrMatrix } from './matrix'
import { drawQrPng } from './png'

const code = sampleInvoice().dgiQrCode as string

function decoded(png: Buffer): string {
  return runTool('zbarimg', ['--quiet', '--raw', 'FILE'], png).replace(/\n$/, '')
}

it('is at least 300 pixels wide, and square', () => {
  for (const text of ['x', code, 'x'.repeat(2_000)]) {
    const png = drawQrPng(text)
    const [width, height] = [png.readUInt32BE(16), png.readUInt32BE(20)]
    expect(width).toBeGreaterThanOrEqual(300)
    expect(height).toBe(width)
  }
})

it('gives the same bytes for the same text', () => {
  expect(drawQrPng(code).equals(drawQrPng(code))).toBe(true)
})

it('rejects what a QR code cannot hold', () => {
  expect(() => qrMatrix('é'.repeat(1_200))).toThrow()
  expect(qrMatrix('x'.repeat(2_331)).size).toBe(177)
  expect(() => qrMatrix('x'.repeat(2_332))).toThrow()
})

describe('read by a scanner', () => {
  itWith('zbarimg').each([
    code,
    'https://verify.example.ma/?p=' + 'aB3-_.'.repeat(120),
    '0123456789',
    'Référence n° 12 — 1 200,00 DH',
  ])('holds exactly the text: %.40s', (text) => {
    expect(decoded(drawQrPng(text))).toBe(text)
  })
})
