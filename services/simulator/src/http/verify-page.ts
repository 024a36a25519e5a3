/** No script, and nothing is loaded. */

import type { InvoiceStamp } from '../qr-payload'

const style = `
  body { font: 1rem/1.5 system-ui, sans-serif; margin: 0; background: #f3f4f6; color: #1f2937 }
  main { max-width: 34rem; margin: 2rem auto; padding: 1.5rem }
  main { background: #fff; border-radius: .75rem }
  h1 { font-size: 1.25rem; margin: 0 0 1rem; padding: .75rem 1rem; border-radius: .5rem }
  .valid { background: #dcfce7; color: #14532d } .invalid { background: #fee2e2; color: #7f1d1d }
  dt { color: #4b5563; font-size: .875rem } dd { margin: 0 0 .75rem; overflow-wrap: anywhere }
  small { color: #4b5563 }`

/** The content security policy allows only this style. */
export const verifyPagePolicy =
  "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; " +
  "form-action 'none'; frame-ancestors 'none'"

/** `undefined` for a payload that the platform did not sign. */
export function renderVerifyPage(stamp: InvoiceStamp | undefined): string {
  const title = stamp
    ? 'Facture validée par l’administration'
    : 'Ce code n’émane pas de l’administration'
  return `<!doctype html>
<html lang="fr">
<head>
<meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<style>${style}</style>
</head>
<body><main>
<h1 class="${stamp ? 'valid' : 'invalid'}">${title}</h1>
${stamp ? renderStamp(stamp) : renderInvalid()}
<p><small>Simulateur de la plateforme fiscale : sans valeur légale.
<span lang="en">Tax platform simulator: no legal value.</span></small></p>
</main></body>
</html>
`
}

function renderStamp(stamp: InvoiceStamp): string {
  const rows: [label: string, value: string][] = [
    ['Référence', stamp.reference],
    ['ICE du vendeur', stamp.issuerIce],
    ['Numéro de facture', stamp.number],
    ['Date', stamp.issueDate],
    ['Montant TTC', `${stamp.amountTtc} ${stamp.currency}`],
    ['Empreinte du document (SHA-256, début)', stamp.documentHash],
  ]
  const items = rows.map(([label, value]) => `<dt>${label}</dt><dd>${escapeHtml(value)}</dd>`)
  return `<p>Comparez ces données avec la facture que vous tenez.
<span lang="en">Compare these data with the invoice you hold.</span></p>
<dl>${items.join('')}</dl>`
}

function renderInvalid(): string {
  return `<p>La signature du code ne se vérifie pas : ne vous fiez pas à ce document
et contactez le vendeur.
<span lang="en">The code’s signature does not verify: do not rely on this document,
contact the seller.</span></p>`
}

const entities: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => entities[character] ?? character)
}
