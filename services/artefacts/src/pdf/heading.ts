import type { LegalMentions } from '@einvoicing/proto/invoice'
import { limitParagraphs } from '../text/characters'
import { leading, type Style } from '../text/typesetter'
import type { Line } from '../text/wrap'
import type { Sheet } from './sheet'
import { contentBottom, contentRight, contentWidth, ink, margin, type } from './theme'

const titleWidth = 200
const issuerWidth = contentWidth - titleWidth - 20

interface IssuerText {
  lines: Line[]
  style: Style
  after: number
}

export function drawHeading(sheet: Sheet, y: number): number {
  const texts = layOutIssuer(sheet)
  const height = texts.reduce((sum, { lines, style, after }) => {
    return sum + lines.length * style.size * leading + after
  }, 0)
  if (y + height <= contentBottom) {
    const bottom = Math.max(drawIssuer(sheet, texts, y), drawTitle(sheet, y))
    return drawIdentifiers(sheet, bottom + 10)
  }
  drawTitle(sheet, y)
  return drawIdentifiers(sheet, drawIssuer(sheet, layOutIssuer(sheet, 1), y) + 10)
}

function layOutIssuer({ type: set, issuer }: Sheet, paragraphsMax = Infinity): IssuerText[] {
  const name = { size: 14, weight: 'bold', color: ink.accent } as const
  const small = { size: 8.4, color: ink.muted } as const
  const others = [companyForm(issuer), issuer.address, issuer.city, contact(issuer)]
  return [
    { text: issuer.name, style: name, after: 1 },
    ...others.filter(Boolean).map((text) => ({ text, style: small, after: 0 })),
  ].map(({ text, style, after }) => {
    return {
      lines: set.wrap(limitParagraphs(text, paragraphsMax), style, issuerWidth),
      style,
      after,
    }
  })
}

function drawIssuer(sheet: Sheet, texts: readonly IssuerText[], y: number): number {
  const box = { x: margin.left, width: issuerWidth, align: 'left' } as const
  return texts.reduce((top, { lines, style, after }) => {
    return sheet.flow(lines, style, { ...box, y: top }) + after
  }, y)
}

function drawTitle({ type: set, invoice, kind }: Sheet, y: number): number {
  const box = { x: contentRight - titleWidth, y, width: titleWidth, align: 'right' } as const
  const title = { size: 23, weight: 'bold', color: ink.accent } as const
  const heading = set.tags.add('H1')
  const below = set.tags.into(heading, () => {
    return set.text(kind.french.title, title, { ...box, y: y - 6 })
  })
  const number = { size: 11, weight: 'bold', color: ink.text } as const
  return set.text(`N° ${invoice.invoiceNumber}`, number, { ...box, y: below })
}

function drawIdentifiers(sheet: Sheet, above: number): number {
  const cells = identifiers(sheet.issuer)
  const height = 30
  const y = sheet.startWithSpace(height, above)
  sheet.panel({ x: margin.left, y, width: contentWidth, height }, ink.panel)
  // The ICE has fifteen digits, the others about half of that.
  const shares = cells.map(({ label }) => (label === 'ICE' ? 1.5 : 1))
  const unit = (contentWidth - 20) / shares.reduce((sum, share) => sum + share, 0)
  let x = margin.left + 10
  cells.forEach(({ label, value }, i) => {
    const width = unit * (shares[i] ?? 1)
    sheet.type.fit(label, type.label, { x, y: y + 5, width: width - 8 })
    sheet.type.fit(value, type.strong, { x, y: y + 14.5, width: width - 8, align: 'left' })
    x += width
  })
  return y + height + 14
}

export function identifiers(issuer: LegalMentions): { label: string; value: string }[] {
  const { ice, if: fiscal, rc, tp, cnss } = issuer
  return [
    { label: 'ICE', value: ice },
    { label: 'IF', value: fiscal },
    { label: 'RC', value: rc },
    { label: 'TP', value: tp },
    { label: 'CNSS', value: cnss },
  ].filter(({ value }) => value !== '')
}

/** « SARL au capital de 100 000 DH », or the part of it that is given. */
export function companyForm({ legalForm, capital }: LegalMentions): string {
  if (!capital) return legalForm
  const plain = capital.replaceAll(/\s/g, '')
  const amount = /^\d+$/.test(plain) ? `${plain.replace(/\B(?=(\d{3})+$)/g, '\u202F')} DH` : capital
  return legalForm ? `${legalForm} au capital de ${amount}` : `Capital : ${amount}`
}

function contact({ phone, email }: LegalMentions): string {
  return [phone && `Tél. ${phone}`, email].filter(Boolean).join('  ·  ')
}
