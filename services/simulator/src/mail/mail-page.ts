/** No script, and nothing is loaded. */

import { escapeHtml } from '@einvoicing/domain/html-text'
import type { ReadMail } from './read-mail'

const style = `
  body { font: 1rem/1.5 system-ui, sans-serif; margin: 0; background: #f3f4f6; color: #1f2937 }
  main { max-width: 44rem; margin: 0 auto; padding: 1rem }
  article, .test { background: #fff; border-radius: .75rem; padding: 1rem; margin: 0 0 1rem }
  .test { background: #fef3c7; color: #713f12 }
  h1 { font-size: 1.25rem } h2 { font-size: 1rem; margin: 0 }
  p { margin: 0 } article p { color: #4b5563; font-size: .875rem; overflow-wrap: anywhere }
  div { margin-top: .75rem; white-space: pre-wrap; overflow-wrap: anywhere }
  a { color: #1d4ed8 }`

export function renderMailPage(mails: readonly ReadMail[], folder: string): string {
  return `<!doctype html>
<html lang="fr">
<head>
<meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>Test : derniers messages</title>
<style>${style}</style>
</head>
<body><main>
<h1>Derniers messages <span lang="en">(last messages)</span></h1>
<p class="test">Ce bac à sable n’a pas de serveur de messagerie : les messages restent ici et dans
${escapeHtml(folder)}. <span lang="en">This sandbox has no mail server: messages stay here and in that
folder.</span></p>
${mails.length === 0 ? '<p>Aucun message. <span lang="en">No message.</span></p>' : mails.map(renderMail).join('\n')}
</main></body>
</html>
`
}

function renderMail({ file, to, subject, date, text }: ReadMail): string {
  return `<article>
<h2>${escapeHtml(subject)}</h2>
<p>${escapeHtml(to)} · ${escapeHtml(date)} · ${escapeHtml(file)}</p>
<div>${renderLinks(text.trim())}</div>
</article>`
}

function renderLinks(text: string): string {
  return text
    .split(/(https?:\/\/[^\s<>"]+)/)
    .map((part, index) => {
      const escaped = escapeHtml(part)
      return index % 2 === 0 ? escaped : `<a href="${escaped}">${escaped}</a>`
    })
    .join('')
}
