import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { fillSamples } from './samples'
import { makeSite } from './site'

const guide = path.join(__dirname, '..', '..', 'guide')
const pages = readdirSync(guide).filter((name) => name.endsWith('.md'))
const english = (page: string) => readFileSync(path.join(guide, page), 'utf8')
const french = (page: string) =>
  fillSamples(readFileSync(path.join(guide, 'fr', page), 'utf8'), english(page))

const count = (text: string, pattern: RegExp) => (text.match(pattern) ?? []).length
/** Of each row of each table: what no language changes, codes and numbers. */
const readRows = (text: string) =>
  [...text.matchAll(/^\|.*\|$/gm)].map(([row]) => [
    row.split('|').length,
    ...(row.match(/`[A-Z_]{4,}`|`\d{15}`|\b[A-Z]{6,}\b|\b\d+\.\d+\b/g) ?? []),
  ])

it('has every page, and no other', () => {
  expect(readdirSync(path.join(guide, 'fr')).sort()).toEqual([...pages].sort())
})

it.each(pages)('%s says the same in French', (page) => {
  const [en, fr] = [english(page), french(page)]
  for (const mark of [/^#+ /gm, /^```/gm, /^[-\d]/gm]) {
    expect([mark, count(fr, mark)]).toEqual([mark, count(en, mark)])
  }
  expect(readRows(fr)).toEqual(readRows(en))
  const links = (text: string) => [...text.matchAll(/\]\(([\w-]+\.md)/g)].map(([, to]) => to)
  expect(links(fr)).toEqual(links(en))
})

it('takes a sample from the English page, and nothing else', () => {
  const page = '```sh a.sh\necho 1\n```\n'
  expect(fillSamples('Voici :\n```sh a.sh\n```\n', page)).toBe(`Voici :\n${page}`)
  expect(() => fillSamples('```sh a.sh\necho 2\n```\n', page)).toThrow('written twice')
  expect(() => fillSamples('```sh b.sh\n```\n', page)).toThrow('has no sample b.sh')
})

it('leads from each page to the same in the other language, and has an index to search', () => {
  const files = new Map(makeSite().map(({ name, body }) => [name, body.toString()]))
  const html = [...files].filter(([name]) => name.endsWith('.html'))
  expect(html).toHaveLength(2 * (pages.length + 1))
  for (const [name, text] of html) {
    const [, other = ''] = /class="language"[^>]* href="([^"]+)"/.exec(text) ?? []
    const back = files.get(`${other}.html`)
    expect([name, back]).toEqual([name, expect.stringContaining(`href="${name.slice(0, -5)}"`)])
    expect(text).toContain('href="/dashboard"')
  }
  for (const [language, word] of [
    ['en', 'Rounding'],
    ['fr', 'Arrondis'],
  ]) {
    const [index] = [...files].filter(([name]) => name.includes(`search-${language}-`))
    expect(index?.[1]).toContain(word)
    const sections = JSON.parse(index?.[1] ?? '') as { path: string }[]
    for (const section of sections)
      expect(files.has(`${section.path.split('#')[0]}.html`)).toBe(true)
  }
})
