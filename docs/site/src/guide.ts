/** The guide, page by page, in the order in which its `README.md` links to them. */

import { readFileSync } from 'node:fs'
import path from 'node:path'
import { otherLanguage, paths, words, type Language } from './language'
import { renderMarkdown } from './markdown'
import { escapeHtml, renderPage, type AssetPath } from './page'
import { fillSamples } from './samples'
import { indexPage, type Section } from './search-index'

export interface GuidePage {
  /** Where it is served. */
  path: string
  html: string
}

interface Entry {
  /** Without `.md`. */
  name: string
  title: string
  path: string
  markdown: string
}

export interface Guide {
  language: Language
  entries: readonly Entry[]
}

/** `folder` holds the English `README.md` and the pages beside it, and `fr/` the French ones. */
export function readGuide(folder: string, language: Language): Guide {
  const own = language === 'en' ? folder : path.join(folder, language)
  const read = (name: string) => {
    const markdown = readFileSync(path.join(own, `${name}.md`), 'utf8')
    if (language === 'en') return markdown
    return fillSamples(markdown, readFileSync(path.join(folder, `${name}.md`), 'utf8'))
  }
  const overview = read('README')
  const pages = [...overview.matchAll(listItem)].map(([, title = '', name = '']) => ({
    name,
    title,
    path: guidePath(language, name),
    markdown: read(name),
  }))
  const first = { name: 'README', title: words[language].overview, markdown: overview }
  return { language, entries: [{ ...first, path: guidePath(language, 'README') }, ...pages] }
}

const listItem = /^- \[([^\]]+)\]\(([\w-]+)\.md\)/gm

export function renderGuide(guide: Guide, asset: AssetPath): GuidePage[] {
  return guide.entries.map((entry) => ({ path: entry.path, html: render(entry, guide, asset) }))
}

export function indexGuide({ entries }: Guide): Section[] {
  return entries.flatMap((entry) => indexPage(entry.markdown, entry.path))
}

function render(entry: Entry, guide: Guide, asset: AssetPath): string {
  const { language } = guide
  const { title, html } = renderMarkdown(entry.markdown, toLink(language))
  const scripts = ['copy-button.js', 'search.js'].map(
    (name) => `<script defer src="${asset(name)}"></script>`,
  )
  const page = {
    language,
    title,
    current: paths[language].guide,
    translation: guidePath(otherLanguage(language), entry.name),
    head: scripts.join('\n'),
    main: `<div class="guide">
${contents(entry, guide, asset)}
<main id="main" tabindex="-1" data-copy="${words[language].copy}" data-copied="${words[language].copied}">
${html}
${neighbours(entry, guide)}
</main>
</div>`,
  }
  return renderPage(page, asset)
}

function contents(current: Entry, { language, entries }: Guide, asset: AssetPath): string {
  const { search, found, nothingFound, guide } = words[language]
  const items = entries.map((entry) => {
    const mark = entry === current ? ' aria-current="page"' : ''
    return `<li><a href="${entry.path}"${mark}>${escapeHtml(entry.title)}</a></li>`
  })
  return `<div class="contents">
<form class="search" role="search" hidden data-index="${asset(`search-${language}.json`)}" data-found="${found}" data-nothing="${nothingFound}">
<input type="search" aria-label="${search}" placeholder="${search}" autocomplete="off">
<p role="status"></p>
<ol></ol>
</form>
<nav aria-label="${guide}"><ul>\n${items.join('\n')}\n</ul></nav>
</div>`
}

function neighbours(current: Entry, { language, entries }: Guide): string {
  const text = words[language]
  const at = entries.indexOf(current)
  const link = (entry: Entry | undefined, rel: string, label: string) =>
    entry
      ? `<a rel="${rel}" href="${entry.path}">${label}${escapeHtml(entry.title)}</a>`
      : '<span></span>'
  return `<nav class="neighbours" aria-label="${text.neighbours}">
${link(entries[at - 1], 'prev', text.before)}
${link(entries[at + 1], 'next', text.next)}
</nav>`
}

function guidePath(language: Language, name: string): string {
  const { guide } = paths[language]
  return name === 'README' ? guide : `${guide}/${name}`
}

/** A file beside the source is a page; any other link stays. */
function toLink(language: Language): (href: string) => string {
  return (href) => {
    const [, name, fragment = ''] = /^([\w-]+)\.md(#.*)?$/.exec(href) ?? []
    return name === undefined ? href : guidePath(language, name) + fragment
  }
}
