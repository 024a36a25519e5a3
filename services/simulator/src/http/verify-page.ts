import { escapeHtml } from '@einvoicing/domain/html-text'
import type { InvoiceStamp } from '../qr-payload'

const style = `
  body { font: 1rem/1.5 system-ui, sans-serif; margin: 0; background: #f3f4f6; color: #1f2937 }
  main { max-width: 34rem; margin: 2rem auto; padding: 1.5rem }
  main { background: #fff; border-radius: .75rem }
  h1 { font-size: 1.25rem; margin: 0 0 1rem; padding: .75rem 1rem; border-radius: .5rem }
  .test { background: #fef3c7; color: #713f12 }
  .test { margin: 0 0 1rem; padding: .75rem 1rem; border-radius: .5rem }
  .valid { background: #dcfce7; color: #14532d } .invalid { background: #fee2e2; color: #7f1d1d }
  dt { color: #4b5563; font-size: .875rem } dd { margin: 0 0 .75rem; overflow-wrap: anywhere }
  small { color: #4b5563 }`

/** Allows only this style: no script, nothing is loaded. */
export const verifyPagePolicy =
  "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; " +
  "form-action 'none'; frame-ancestors 'none'"

const kinds: Readonly<Record<string, { title: string; of: string }>> = {
  '380': { title: 'Facture validée', of: 'de facture' },
  '381': { title: 'Avoir validé', of: 'de l’avoir' },
  '386': { title: 'Facture d’acompte validée', of: 'de facture d’acompte' },
}

const findKind = ({ typeCode = '380' }: InvoiceStamp) =>
  kinds[typeCode] ?? { title: 'Document validé', of: 'du document' }

/** `undefined` for a code that the platform did not sign. */
export function renderVerifyPage(stamp: InvoiceStamp | undefined): string {
  const title = stamp ? `${findKind(stamp).title} par le simulateur` : 'Ce code n’est pas valide'
  return `<!doctype html>
<html lang="fr">
<head>
<meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>Test : ${title}</title>
<style>${style}</style>
</head>
<body><main>
<p class="test"><strong>SPÉCIMEN – ENVIRONNEMENT DE TEST.</strong> Le simulateur de la plateforme
fiscale a répondu : sans valeur légale.
<span lang="en">Test environment, tax platform simulator: no legal value.</span></p>
<h1 class="${stamp ? 'valid' : 'invalid'}">${title}</h1>
${stamp ? renderStamp(stamp) : renderInvalid()}
</main></body>
</html>
`
}

function renderStamp(stamp: InvoiceStamp): string {
  const rows: [label: string, value: string | undefined][] = [
    ['Référence', stamp.reference],
    ['Vendeur', stamp.issuerName],
    ['ICE du vendeur', stamp.issuerIce],
    [`Numéro ${findKind(stamp).of}`, stamp.number],
    ['Date', frenchDate(stamp.issueDate)],
    ['Montant TTC', `${frenchAmount(stamp.amountTtc)} ${stamp.currency}`],
    ['SHA-256 du XML signé (début)', toHex(stamp.documentHash)],
  ]
  const items = rows.map(([label, value]) =>
    value ? `<dt>${label}</dt><dd>${escapeHtml(value)}</dd>` : '',
  )
  return `<p>Comparez ces données avec votre document.
<span lang="en">Compare these data with your document.</span></p>
<dl>${items.join('')}</dl>`
}

function renderInvalid(): string {
  return `<p>La signature de ce code n’est pas valide : ne vous fiez pas à ce document
et contactez le vendeur.
<span lang="en">The signature of this code is not valid: do not rely on this document,
contact the seller.</span></p>`
}

function frenchDate(date: string): string {
  return date.split('-').reverse().join('/')
}

/** `1200.60` is `1 200,60`. */
function frenchAmount(amount: string): string {
  const [integer = '', fraction] = amount.split('.')
  const grouped = integer.replace(/\B(?=(\d{3})+$)/g, '\u202F')
  return fraction === undefined ? grouped : `${grouped},${fraction}`
}

function toHex(documentHash: string): string {
  return Buffer.from(documentHash, 'base64url').toString('hex')
}
