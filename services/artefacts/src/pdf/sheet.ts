import { isNeverSent } from '@einvoicing/domain/creditable'
import { simulatorReferencePrefix, type Environment } from '@einvoicing/domain/environment'
import type { DocumentKind } from '@einvoicing/profile/document-kinds'
import { InvoiceStatus, type Invoice, type LegalMentions } from '@einvoicing/proto/invoice'
import type { PdfDocument } from '../text/pdf-document'
import { round } from '../text/document-font'
import { leading, toFillColor, type Box, type Style, type Typesetter } from '../text/typesetter'
import type { Line } from '../text/wrap'
import { contentBottom, contentRight, contentWidth, ink, margin, page, type } from './theme'

type SheetParts = Pick<
  Sheet,
  'document' | 'type' | 'invoice' | 'kind' | 'originalSha256' | 'address'
> & {
  environment: Environment
  /** Draws what is below everything else. */
  drawGround: (sheet: Sheet) => void
}

const runningHeadTop = 24

export class Sheet {
  readonly document: PdfDocument
  readonly type: Typesetter
  readonly invoice: Invoice
  readonly issuer: LegalMentions
  readonly kind: DocumentKind
  readonly originalSha256: string | undefined
  readonly address: string | undefined
  /** Without legal value. */
  readonly isTest: boolean
  /** Rejected, or never sent: without the seller's stamp. */
  readonly isVoid: boolean
  private readonly drawGround: (sheet: Sheet) => void
  private pageCount = 0

  constructor(parts: SheetParts) {
    const { document, type, invoice, kind, originalSha256, address, environment, drawGround } =
      parts
    if (!invoice.issuer) throw new Error(`invoice ${invoice.id} has no issuer`)
    this.document = document
    this.type = type
    this.invoice = invoice
    this.issuer = invoice.issuer
    this.kind = kind
    this.originalSha256 = originalSha256
    this.address = address
    this.drawGround = drawGround
    this.isVoid = invoice.status === InvoiceStatus.REJECTED || isNeverSent(invoice)
    this.isTest = environment === 'test' || isFromSimulator(invoice)
  }

  addPage(): number {
    this.document.addPage({ size: [page.width, page.height], margin: 0 })
    this.pageCount += 1
    this.drawGround(this)
    if (this.pageCount > 1) this.type.tags.artifact(() => this.drawRunningHead(), 'Pagination')
    return margin.top
  }

  private drawRunningHead(): void {
    const box = { x: margin.left, y: runningHeadTop, width: contentWidth / 2 - 8 }
    const number = `${this.kind.french.noun} N° ${this.invoice.invoiceNumber}`
    this.type.fit(number, { ...type.strong, size: 8 }, { ...box, align: 'left' })
    const right = { ...box, x: margin.left + contentWidth / 2 + 8, align: 'right' } as const
    this.type.fit(this.issuer.name, type.small, right)
  }

  /** `y` when `height` points fit below it, else the top of a new page. */
  startWithSpace(height: number, y: number): number {
    return y + height <= contentBottom ? y : this.addPage()
  }

  fitsOnPage(height: number): boolean {
    return margin.top + height <= contentBottom
  }

  /** Continues on new pages. Returns where the text ends. */
  flow(lines: readonly Line[], style: Style, box: Box): number {
    const height = style.size * leading
    let { y } = box
    for (let drawn = 0; drawn < lines.length;) {
      y = this.startWithSpace(height, y)
      const count = Math.max(1, Math.floor((contentBottom - y) / height))
      y = this.type.drawLines(lines.slice(drawn, drawn + count), style, { ...box, y })
      drawn += count
    }
    return y
  }

  decorate(draw: (document: PdfDocument) => void): void {
    this.type.tags.artifact(() => draw(this.document))
  }

  panel(box: { x: number; y: number; width: number; height: number }, color: string): void {
    this.decorate((document) =>
      document.roundedRect(box.x, box.y, box.width, box.height, 3).fill(color),
    )
  }

  rule(y: number, color: string = ink.rule): void {
    const box = [margin.left, y, contentRight - margin.left, 0.6].map(round).join(' ')
    // In one piece: pdfkit takes several times as long, and a table has many.
    const operators = `${toFillColor(color)} ${box} re f\n`
    this.decorate((document) => document.addContent(Buffer.from(operators, 'latin1')))
  }
}

function isFromSimulator({ dgiReference }: Invoice): boolean {
  return dgiReference?.startsWith(simulatorReferencePrefix) ?? false
}
