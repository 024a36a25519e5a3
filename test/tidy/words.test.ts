import { files } from './tree'
import { findWords, words } from './words'

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
