/** The frame of every page of documentation, and what a strict policy lets it load. */

export interface Page {
  title: string
  /** The path of the entry of the bar that is current. */
  current: string
  /** Elements of the head beside those of all pages. */
  head?: string
  main: string
}

/** From the name of an asset to the path it is served at. */
export type AssetPath = (name: string) => string

/** Where the gateway serves the pages. */
export const paths = {
  reference: '/docs',
  guide: '/docs/guide',
  openApi: '/openapi.json',
} as const

const entries = [
  { path: paths.guide, name: 'Guide' },
  { path: paths.reference, name: 'API reference' },
  { path: paths.openApi, name: 'openapi.json' },
]

/** `head` and `main` are HTML of ours. */
export function pageOf({ title, current, head = '', main }: Page, asset: AssetPath): string {
  const links = entries.map(({ path, name }) => {
    const mark = path === current ? ' aria-current="page"' : ''
    return `<a href="${path}"${mark}>${name}</a>`
  })
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escapeHtml(title)} · Electronic Invoicing Service</title>
<link rel="icon" href="${asset('icon.svg')}">
${head}
<link rel="stylesheet" href="${asset('docs.css')}">
</head>
<body>
<a class="skip" href="#main">Skip to the content</a>
<header class="bar">
<a class="brand" href="${paths.guide}">Electronic Invoicing</a>
<nav aria-label="Documentation">${links.join('')}</nav>
</header>
${main}
</body>
</html>
`
}

const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }

export function escapeHtml(text: string): string {
  return text.replace(/[&<>"]/g, (character) => entities[character] ?? character)
}
