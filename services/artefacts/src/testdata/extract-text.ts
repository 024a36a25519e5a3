import type { Invoice } from '@einvoicing/proto/invoice'
import { drawInvoice, type PrintOptions } from '../pdf/draw-invoice'
import { openFaces } from '../text/fonts'
import { runTool } from './tools'

const faces = openFaces()

/** The text of a PDF; spaces of any kind as one ordinary space, so that numbers can be compared. */
export async function extractText(invoice: Invoice, options?: PrintOptions): Promise<string> {
  const pdf = await drawInvoice(invoice, faces, options)
  const text = runTool('pdftotext', ['-layout', 'FILE', '-'], pdf)
  return text.replaceAll(/[^\S\n\f]+/g, ' ')
}
