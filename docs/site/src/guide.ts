/** The guide, page by page, in the order in which its `README.md` links to them. */

import { readFileSync } from 'node:fs'
import path from 'node:path'
import { renderMarkdown } from './markdown'
import { escapeHtml, pageOf, paths, type AssetPath } from './page'

export interface GuidePage {
  /** Where it is served. */
  path: string
  html: string
}

interface Entry {
  title: string
  path: string
  markdown: string
}

/** `folder` holds `README.md` and the pages beside it. */
export function guidePages(folder: string, asset: AssetPath): GuidePage[] {
  const entries = contentsOf(folder)
  return entries.map((entry) => ({ path: entry.path, html: render(entry, entries, asset) }))
}

const listItem = /^- \[([^\]]+)\]\(([\w-]+)\.md\)/gm

function contentsOf(folder: string): Entry[] {
  const read = (name: string) => readFileSync(path.join(folder, `${name}.md`), 'utf8')
  const overview = read('README')
  const pages = [...overview.matchAll(listItem)].map(([, title = '', name = '']) => ({
    title,
    path: `${paths.guide}/${name}`,
    markdown: read(name),
  }))
  return [{ title: 'Overview', path: paths.guide, markdown: overview }, ...pages]
}

function render(entry: Entry, entries: readonly Entry[], asset: AssetPath): string {
  const { title, html } = renderMarkdown(entry.markdown, linkTo)
  const page = {
    title,
    current: paths.guide,
    head: `<script defer src="${asset('copy-button.js')}"></script>`,
    main: `<div class="guide">
${contents(entry, entries)}
<main id="main" tabindex="-1">
${html}
${neighbours(entry, entries)}
</main>
</div>`,
  }
  return pageOf(page, asset)
}

function contents(current: Entry, entries: readonly Entry[]): string {
  const items = entries.map((entry) => {
    const mark = entry === current ? ' aria-current="page"' : ''
    return `<li><a href="${entry.path}"${mark}>${escapeHtml(entry.title)}</a></li>`
  })
  return `<nav class="contents" aria-label="Guide"><ul>\n${items.join('\n')}\n</ul></nav>`
}

function neighbours(current: Entry, entries: readonly Entry[]): string {
  const at = entries.indexOf(current)
  const link = (entry: Entry | undefined, rel: string, words: string) =>
    entry
      ? `<a rel="${rel}" href="${entry.path}">${words}: ${escapeHtml(entry.title)}</a>`
      : '<span></span>'
  return `<nav class="neighbours" aria-label="Pages beside this one">
${link(entries[at - 1], 'prev', 'Before')}
${link(entries[at + 1], 'next', 'Next')}
</nav>`
}

/** A file beside the source is a page; any other link stays. */
function linkTo(href: string): string {
  const [, name, fragment = ''] = /^([\w-]+)\.md(#.*)?$/.exec(href) ?? []
  if (name === undefined) return href
  return (name === 'README' ? paths.guide : `${paths.guide}/${name}`) + fragment
}
