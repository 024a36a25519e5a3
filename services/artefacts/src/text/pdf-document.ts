import type PDFDocument from 'pdfkit'

export type PdfDocument = InstanceType<typeof PDFDocument>
export type Reference = ReturnType<PdfDocument['ref']>

/** pdfkit writes a plain string as a name. */
export function toPdfString(text: string): object {
  return Object(text) as object
}
