import { files } from './tree'
import { findOfNames, findWords, words } from './words'

test.each(words.map(({ caught, instead }) => [caught, instead]))(
  'catches %s',
  (caught, instead) => {
    expect(findWords({ path: 'a.ts', text: caught })).toEqual([expect.stringContaining(instead)])
  },
)

const isWritten = (path: string) =>
  /\.(tsx?|js|mjs|cjs|md|ya?ml|sh|proto)$|(^|\/)(Makefile|Dockerfile)$/.test(path) &&
  !/\/gen\/|\/testdata\/|^docs\/(glossary\.md|decisions\/)|^test\/tidy\/words|^CHANGELOG/.test(path)

test('no file has a word that the glossary replaces', () => {
  expect(files.filter(({ path }) => isWritten(path)).flatMap(findWords)).toEqual([])
})

test.each(['const statusOf = 1', 'async function* statusOf() {}', 'async *statusOf() {}'])(
  'catches a name that ends in "Of": %s',
  (text) => {
    expect(findOfNames({ path: 'a.ts', text })).toEqual([expect.stringContaining('statusOf')])
    expect(findOfNames({ path: 'a.ts', text: 'function oneOf() {}' })).toEqual([])
  },
)

test('no function or constant is named by "Of"', () => {
  const isCode = ({ path }: { path: string }) =>
    /\.(tsx?|js|mjs)$/.test(path) && !/\/gen\/|^test\/tidy\//.test(path)
  expect(files.filter(isCode).flatMap(findOfNames)).toEqual([])
})
