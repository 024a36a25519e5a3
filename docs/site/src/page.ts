/** The frame of every page of documentation, and what a strict policy lets it load. */

import {
  dashboardPath,
  environmentStyle,
  openApiPaths,
  otherLanguage,
  paths,
  words,
  type Language,
} from './language'

export interface Page {
  language: Language
  title: string
  /** The path of the entry of the bar that is current. */
  current: string
  /** The path of the same page in the other language. */
  translation: string
  /** Elements of the head beside those of all pages. */
  head?: string
  main: string
}

/** From the name of an asset to the path it is served at. */
export type AssetPath = (name: string) => string

/** `head` and `main` are HTML of ours. */
export function renderPage(page: Page, asset: AssetPath): string {
  const { language, title, translation, head = '', main } = page
  const text = words[language]
  const other = otherLanguage(language)
  return `<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escapeHtml(title)} · ${text.service}</title>
<link rel="icon" href="${asset('icon.svg')}">
<link rel="alternate" hreflang="${other}" href="${translation}">
${head}
<link rel="stylesheet" href="${asset('docs.css')}">
<link rel="stylesheet" href="${environmentStyle}">
</head>
<body>
<a class="skip" href="#main">${text.skip}</a>
<header class="bar">
<a class="brand" href="${paths[language].guide}">${text.brand}</a>
<strong class="test-badge">${text.test}</strong>
<nav aria-label="${text.documentation}">${links(page)}</nav>
<a class="language" lang="${other}" hreflang="${other}" href="${translation}">${text.otherLanguage}</a>
</header>
${main}
</body>
</html>
`
}

function links({ language, current }: Page): string {
  const text = words[language]
  const { guide, reference } = paths[language]
  const entries = [
    { path: guide, name: text.guide },
    { path: reference, name: text.reference },
    { path: openApiPaths[language], name: openApiPaths[language].slice(1) },
    { path: dashboardPath, name: text.dashboard },
  ]
  return entries
    .map(({ path, name }) => {
      const mark = path === current ? ' aria-current="page"' : ''
      return `<a href="${path}"${mark}>${name}</a>`
    })
    .join('')
}

const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }

export function escapeHtml(text: string): string {
  return text.replace(/[&<>"]/g, (character) => entities[character] ?? character)
}
