import { companyForm, identifiers } from './heading'
import type { Line } from '../text/wrap'
import type { Sheet } from './sheet'
import { drawOutlines } from './watermark'
import { contentBottom, contentWidth, margin, type } from './theme'

/** Call once, after the last page. */
export function drawFooters(sheet: Sheet): void {
  const { count } = sheet.document.bufferedPageRange()
  const mentions = footerMentions(sheet)
  for (let i = 0; i < count; i += 1) {
    sheet.document.switchToPage(i)
    const number = `Page ${i + 1}/${count}`
    sheet.type.tags.artifact(() => drawFooter(sheet, mentions, number), 'Pagination')
    drawOutlines(sheet)
  }
}

function drawFooter(sheet: Sheet, mentions: Line[], pageNumber: string): void {
  const { type: set, invoice, kind } = sheet
  const box = { x: margin.left, width: contentWidth }
  const top = contentBottom + 12
  sheet.rule(top)
  const y = set.drawLines(mentions, type.small, { ...box, y: top + 5, align: 'center' })
  const number = `${kind.french.noun} N° ${invoice.invoiceNumber}`
  set.fit(number, type.small, { ...box, y, width: contentWidth - 80, align: 'left' })
  set.fit(pageNumber, type.small, { ...box, y, align: 'right' })
}

function footerMentions({ type: set, issuer }: Sheet): Line[] {
  const who = [issuer.name, companyForm(issuer), issuer.address, issuer.city]
  const numbers = identifiers(issuer).map(({ label, value }) => `${label} : ${value}`)
  // Cut to the footer's height; the first page's heading has them in full.
  return [who.filter(Boolean).join(' — '), numbers.join('  ·  ')].flatMap((text) => {
    return set.wrap(text, type.small, contentWidth).slice(0, 2)
  })
}
