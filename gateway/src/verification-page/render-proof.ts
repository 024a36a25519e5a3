import { nameLevel } from '@einvoicing/domain/signature-level'
import type { Format } from './format'
import { html, type Html } from './html'
import { renderRows } from './rows'
import { hasProof, isProofExpected, type ShownDocument } from './shown-document'
import type { Texts } from './texts'

interface Shown extends ShownDocument {
  text: Texts
  format: Format
}

export function renderFile({ invoice, text: { file } }: Shown): Html {
  const { xmlSha256 = '' } = invoice
  return html`<section class="card wide long file">
    <h2>${file.heading}</h2>
    <form>
      <label for="file">${file.label}</label>
      <input
        type="file"
        id="file"
        accept=".xml,application/xml,text/xml,.pdf"
        disabled
        aria-describedby="sent"
        data-sha256="${xmlSha256}"
        data-same="${file.same}"
        data-pdf="${file.pdf}"
        data-other="${file.other}"
        data-unreadable="${file.unreadable}"
        data-unable="${file.unable}"
        data-busy="${file.busy}"
      />
      <p class="hint" id="sent">${file.hint}</p>
      <output id="result" for="file" aria-live="polite"></output>
      <noscript><p>${file.noScript}</p></noscript>
    </form>
    ${renderRows([[file.digest, html`<code dir="ltr">${xmlSha256}</code>`]])}
  </section>`
}

export function renderSignature({ invoice, report, now, text, format }: Shown): Html {
  const { signature } = text
  const [stamp] = report?.timeStamps ?? []
  const stampedAt = report?.provenAt ?? stamp?.time ?? invoice.timeStampedAt
  const signedAt = report?.signingTime ?? invoice.signedAt
  const noStamp = isProofExpected(invoice, now) ? signature.noStampYet : signature.noStamp
  const checked = report && (report.intact ? signature.valid : signature.invalid)
  const name = (value: string | null | undefined) =>
    value ? html`<bdi dir="ltr">${value}</bdi>` : undefined
  return html`<section class="card wide long">
    <h2>${signature.heading}</h2>
    <p class="state">${checked ?? signature.unknown}</p>
    ${renderRows([
      [signature.signer, name(report?.signer?.subject)],
      [signature.signedAt, signedAt ? format.time(signedAt) : undefined],
      [signature.stampedAt, stampedAt ? format.time(stampedAt) : noStamp],
      [signature.authority, name(stamp?.authority)],
      [signature.level, name(report?.level ?? invoice.signatureLevel ?? nameLevel('B'))],
      [signature.stands, report?.standsUntil ? format.day(report.standsUntil) : undefined],
    ])}
  </section>`
}

export function renderDownloads({ invoice, token, now, text: { downloads } }: Shown): Html {
  const link = (path: string, [name, hint]: [string, string]) =>
    html`<li>
      <a href="${token}/${path}" download><strong>${name}</strong>${hint}</a>
    </li>`
  const noProof = isProofExpected(invoice, now) ? downloads.noProofYet : downloads.noProof
  const proof = hasProof(invoice)
    ? link('proof', [downloads.proof, downloads.proofHint])
    : html`<li>
        <p><strong>${downloads.proof}</strong>${noProof}</p>
      </li>`
  return html`<section class="card wide downloads-card">
    <h2>${downloads.heading}</h2>
    <ul class="downloads">
      ${link('xml', [downloads.original, downloads.originalHint])}${proof}
      ${link('pdf', [downloads.pdf, downloads.pdfHint])}
    </ul>
  </section>`
}
