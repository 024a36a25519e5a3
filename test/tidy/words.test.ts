import { files, packageFolder } from './tree'
import { findWords, words } from './words'
import left from './words-left.json'

test.each(words.map(({ caught, instead }) => [caught, instead]))(
  'catches %s',
  (caught, instead) => {
    expect(findWords({ path: 'a.ts', text: caught })).toEqual([expect.stringContaining(instead)])
  },
)

const isWritten = (path: string) =>
  /\.(tsx?|js|mjs|cjs|md|ya?ml|sh|proto)$|(^|\/)(Makefile|Dockerfile)$/.test(path) &&
  !/\/gen\/|\/testdata\/|^docs\/(glossary\.md|decisions\/)|^test\/tidy\/words|^CHANGELOG/.test(path)

const found = new Map<string, string[]>()
for (const file of files.filter(({ path }) => isWritten(path))) {
  const folder = packageFolder(file.path)
  found.set(folder, [...(found.get(folder) ?? []), ...findWords(file)])
}

// A ratchet: a package may have no more of these words than it had, and its number only falls.
test.each([...found])('%s has no word that the glossary replaces', (folder, lines) => {
  const count = (left as Readonly<Record<string, number>>)[folder] ?? 0
  expect(lines.length > count ? lines : []).toEqual([])
  // Fewer than the file says: lower its number.
  expect(count).toBe(lines.length)
})
