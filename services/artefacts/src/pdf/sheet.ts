/** A document being drawn: its pages, and the few shapes that its blocks share. */

import type { Invoice, LegalMentions } from '@einvoicing/proto/invoice'
import type { PdfDocument, Typesetter } from '../text/typesetter'
import { contentBottom, contentRight, ink, margin, page } from './theme'

export class Sheet {
  readonly document: PdfDocument
  readonly type: Typesetter
  readonly invoice: Invoice
  readonly issuer: LegalMentions

  constructor(document: PdfDocument, type: Typesetter, invoice: Invoice) {
    if (!invoice.issuer) throw new Error(`invoice ${invoice.id} carries no issuer`)
    this.document = document
    this.type = type
    this.invoice = invoice
    this.issuer = invoice.issuer
  }

  /** Begins a page; returns where content starts. */
  addPage(): number {
    this.document.addPage({ size: [page.width, page.height], margin: 0 })
    return margin.top
  }

  /** `y` when `height` points still fit below it, else the top of a new page. */
  roomFor(height: number, y: number): number {
    return y + height <= contentBottom ? y : this.addPage()
  }

  panel(box: { x: number; y: number; width: number; height: number }, color: string): void {
    this.document.roundedRect(box.x, box.y, box.width, box.height, 3).fill(color)
  }

  rule(y: number, color: string = ink.rule): void {
    this.document.rect(margin.left, y, contentRight - margin.left, 0.6).fill(color)
  }
}
