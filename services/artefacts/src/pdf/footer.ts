/** The foot of every page: the issuer's mentions, and which page of how many. */

import { companyForm, identifiers } from './heading'
import type { Sheet } from './sheet'
import { contentBottom, contentWidth, margin, type } from './theme'

/** Draws on all pages; call once, after the last. */
export function drawFooters(sheet: Sheet): void {
  const { count } = sheet.document.bufferedPageRange()
  const mentions = footerMentions(sheet)
  for (let i = 0; i < count; i += 1) {
    sheet.document.switchToPage(i)
    drawFooter(sheet, mentions, `Page ${i + 1}/${count}`)
  }
}

function drawFooter(sheet: Sheet, mentions: string[], pageNumber: string): void {
  const { type: set, invoice } = sheet
  const box = { x: margin.left, width: contentWidth }
  let y = contentBottom + 12
  sheet.rule(y)
  y += 6
  for (const line of mentions) {
    set.fit(line, type.small, { ...box, y, align: 'center' })
    y += 10
  }
  set.fit(`Facture N° ${invoice.invoiceNumber}`, type.small, {
    ...box,
    y,
    width: contentWidth - 80,
    align: 'left',
  })
  set.fit(pageNumber, type.small, { ...box, y, align: 'right' })
}

function footerMentions({ issuer }: Sheet): string[] {
  const who = [issuer.name, companyForm(issuer), issuer.address, issuer.city]
  const numbers = identifiers(issuer).map(({ label, value }) => `${label} : ${value}`)
  return [who.filter(Boolean).join(' — '), numbers.join('  ·  ')]
}
