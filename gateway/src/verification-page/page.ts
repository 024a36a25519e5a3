import { createHash } from 'node:crypto'
import { html, Html } from './html'
import { languages, type Language } from './languages'
import { script } from './script'
import { style } from './style'
import { texts, type Texts } from './texts'

const digest = (text: string) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`

const policy = [
  "default-src 'none'",
  `style-src ${digest(style)}`,
  `script-src ${digest(script)}`,
  'img-src data:',
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

// Not by `html`, in which a formatter may add white space: the policy names their digests.
const styleElement = new Html(`<style>${style}</style>`)
const scriptElement = new Html(`<script>${script}</script>`)

export const privateHeaders = {
  'Cache-Control': 'no-store',
  'X-Robots-Tag': 'noindex, nofollow, noarchive',
  // The address is what proves who may read.
  'Referrer-Policy': 'no-referrer',
}

export const pageHeaders = (language: Language) => ({
  ...privateHeaders,
  'Content-Type': 'text/html; charset=utf-8',
  'Content-Language': language,
  'Content-Security-Policy': policy,
  Vary: 'Accept-Language',
})

export interface Page {
  language: Language
  title: string
  body: Html
  footer?: Html
  withScript?: boolean
}

export function renderPage({ language, title, body, footer, withScript = false }: Page): string {
  const text = texts[language]
  return html`<!doctype html>
    <html lang="${language}" dir="${text.direction}">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="robots" content="noindex, nofollow" />
        <meta name="referrer" content="no-referrer" />
        <link rel="icon" href="data:," />
        <title>${title}</title>
        ${styleElement}
      </head>
      <body>
        <header>
          <p>${text.page}</p>
          ${renderLanguages(language, text)}
        </header>
        <main>${body}</main>
        ${footer && html`<footer>${footer}</footer>`} ${withScript && scriptElement}
      </body>
    </html> `.text
}

function renderLanguages(language: Language, text: Texts): Html {
  const links = languages.map((each) => {
    const isShown = each === language
    const current = isShown && new Html(' aria-current="true"')
    return html`<li>
      <a href="?lang=${each}" lang="${each}" hreflang="${each}" ${current}>${texts[each].name}</a>
    </li>`
  })
  return html`<nav aria-label="${text.languages}">
    <ul>
      ${links}
    </ul>
  </nav>`
}

type Message = 'notFound' | 'tooMany' | 'unavailable'

export function renderMessage(language: Language, message: Message): string {
  const { title, detail } = texts[language][message]
  const body = renderDecision({ kind: 'unknown', title, body: html`<p>${detail}</p>` })
  return renderPage({ language, title, body })
}

const icons = {
  accepted: 'M4 12.5l5 5L20 6.5',
  waiting: 'M12 6v6l4 3',
  rejected: 'M6 6l12 12M18 6L6 18',
  unknown: 'M12 7v6M12 16.5v.5',
} as const

export type DecisionIcon = keyof typeof icons

export function renderDecision({
  kind,
  title,
  body,
}: {
  kind: DecisionIcon
  title: string
  body: Html
}): Html {
  return html`<section class="decision ${kind}">
    <svg
      viewBox="0 0 24 24"
      aria-hidden="true"
      fill="none"
      stroke="currentColor"
      stroke-width="2.2"
      stroke-linecap="round"
      stroke-linejoin="round"
    >
      <circle cx="12" cy="12" r="10.8" stroke-width="1.6" />
      <path d="${icons[kind]}" transform="translate(3.6 3.6) scale(.7)" />
    </svg>
    <div>
      <h1>${title}</h1>
      ${body}
    </div>
  </section>`
}
