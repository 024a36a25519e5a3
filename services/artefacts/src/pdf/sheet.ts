import type { DocumentKind } from '@einvoicing/profile/document-kinds'
import type { Invoice, LegalMentions } from '@einvoicing/proto/invoice'
import type { PdfDocument } from '../text/pdf-document'
import type { Typesetter } from '../text/typesetter'
import { contentBottom, contentRight, ink, margin, page } from './theme'

type SheetParts = Pick<Sheet, 'document' | 'type' | 'invoice' | 'kind'>

export class Sheet {
  readonly document: PdfDocument
  readonly type: Typesetter
  readonly invoice: Invoice
  readonly issuer: LegalMentions
  readonly kind: DocumentKind

  constructor({ document, type, invoice, kind }: SheetParts) {
    if (!invoice.issuer) throw new Error(`invoice ${invoice.id} has no issuer`)
    this.document = document
    this.type = type
    this.invoice = invoice
    this.issuer = invoice.issuer
    this.kind = kind
  }

  addPage(): number {
    this.document.addPage({ size: [page.width, page.height], margin: 0 })
    return margin.top
  }

  /** `y` when `height` points fit below it, else the top of a new page. */
  startWithSpace(height: number, y: number): number {
    return y + height <= contentBottom ? y : this.addPage()
  }

  panel(box: { x: number; y: number; width: number; height: number }, color: string): void {
    this.document.roundedRect(box.x, box.y, box.width, box.height, 3).fill(color)
  }

  rule(y: number, color: string = ink.rule): void {
    this.document.rect(margin.left, y, contentRight - margin.left, 0.6).fill(color)
  }
}
