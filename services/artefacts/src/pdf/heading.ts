import type { LegalMentions } from '@einvoicing/proto/invoice'
import type { Sheet } from './sheet'
import { contentRight, contentWidth, ink, margin, type } from './theme'

const titleWidth = 200
const issuerWidth = contentWidth - titleWidth - 20

export function drawHeading(sheet: Sheet, y: number): number {
  const bottom = Math.max(drawIssuer(sheet, y), drawTitle(sheet, y))
  return drawIdentifiers(sheet, bottom + 10)
}

function drawIssuer({ type: set, issuer }: Sheet, y: number): number {
  const box = { x: margin.left, y, width: issuerWidth, align: 'left' } as const
  const name = { size: 14, weight: 'bold', color: ink.accent } as const
  let below = set.text(issuer.name, name, box) + 1
  for (const line of [companyForm(issuer), issuer.address, issuer.city, contact(issuer)]) {
    if (line) below = set.text(line, { size: 8.4, color: ink.muted }, { ...box, y: below })
  }
  return below
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

function drawIdentifiers(sheet: Sheet, y: number): number {
  const cells = identifiers(sheet.issuer)
  const height = 30
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
