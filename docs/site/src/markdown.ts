/**
 * Markdown of ours as HTML that works without a script: headings that can be linked to, tables that
 * scroll on a phone, code that was coloured here.
 */

import hljs from 'highlight.js/lib/core'
import bash from 'highlight.js/lib/languages/bash'
import http from 'highlight.js/lib/languages/http'
import java from 'highlight.js/lib/languages/java'
import json from 'highlight.js/lib/languages/json'
import php from 'highlight.js/lib/languages/php'
import python from 'highlight.js/lib/languages/python'
import typescript from 'highlight.js/lib/languages/typescript'
import MarkdownIt, { type Token } from 'markdown-it'
import { escapeHtml } from './page'

const languages = { bash, http, java, json, php, python, typescript }
for (const [name, language] of Object.entries(languages)) hljs.registerLanguage(name, language)

export interface Rendered {
  /** Of the first heading. */
  title: string
  html: string
}

/** `linkTo` says where a link of the source leads on the site. */
export function renderMarkdown(source: string, linkTo: (href: string) => string): Rendered {
  const markdown = new MarkdownIt({ html: false, highlight: coloured })
  const { rules } = markdown.renderer
  // Scrolled by keyboard too.
  rules['table_open'] = () => '<div class="table" tabindex="0"><table>\n'
  rules['table_close'] = () => '</table></div>\n'
  const tokens = markdown.parse(source, {})
  const headings = nameHeadings(tokens)
  for (const link of tokens.flatMap(({ children }) => children ?? [])) {
    if (link.type === 'link_open') link.attrSet('href', linkTo(String(link.attrGet('href'))))
  }
  for (const cell of tokens.filter(({ type }) => /^t[hd]_open$/.test(type))) {
    // As it comes, the alignment is a style within the page, which the policy forbids.
    if (cell.attrGet('style') === 'text-align:right') cell.attrs = [['class', 'right']]
  }
  return {
    title: headings[0] ?? '',
    html: markdown.renderer.render(tokens, markdown.options, {}),
  }
}

// Scrolled by keyboard too.
function coloured(code: string, language: string): string {
  const isKnown = hljs.getLanguage(language) !== undefined
  const html = isKnown ? hljs.highlight(code, { language }).value : escapeHtml(code)
  return `<pre tabindex="0"><code>${html}</code></pre>`
}

export interface MarkdownSection {
  /** Of its heading, in links. */
  name: string
  title: string
  text: string
}

/** The text under each heading, without marks and programs. */
export function readSections(source: string): MarkdownSection[] {
  const tokens = new MarkdownIt({ html: false }).parse(source, {})
  const sections: MarkdownSection[] = []
  tokens.forEach((token, at) => {
    if (token.type !== 'inline') return
    const text = (token.children ?? []).map(({ content }) => content).join(' ')
    if (tokens[at - 1]?.type === 'heading_open') {
      const title = token.content.replaceAll('`', '')
      sections.push({ name: headingName(title), title, text: '' })
      return
    }
    const section = sections.at(-1)
    if (section) section.text += `${text.replace(/\s+/g, ' ').trim()} `
  })
  return sections
}

/** Gives each heading the name that GitHub would, so that links lead there in both places. */
function nameHeadings(tokens: Token[]): string[] {
  return tokens.flatMap((token, at) => {
    if (token.type !== 'heading_open') return []
    const text = tokens[at + 1]?.content.replaceAll('`', '') ?? ''
    token.attrSet('id', headingName(text))
    return [text]
  })
}

function headingName(text: string): string {
  return text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .replace(/\s/g, '-')
}
