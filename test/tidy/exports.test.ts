import { files, sources, written, type SourceFile } from './tree'

const exported = /^export (?:async )?(?:abstract )?(?:function\*?|const|class) (\w+)/gm

function findUnused(exporting: SourceFile[], all: SourceFile[]): string[] {
  const filesByName = new Map<string, number>()
  for (const { text } of all) {
    for (const name of new Set(text.match(/\w+/g))) {
      filesByName.set(name, (filesByName.get(name) ?? 0) + 1)
    }
  }
  return exporting.flatMap(({ path, text }) =>
    [...text.matchAll(exported)].flatMap(([, name = '']) =>
      filesByName.get(name) === 1 ? [`${path}: ${name}`] : [],
    ),
  )
}

test.each(['function* used() {}', 'const used = 1', 'abstract class used {}'])(
  'catches what no other file names: export %s',
  (value) => {
    const file = { path: 'a.ts', text: `export ${value}` }
    expect(findUnused([file], [file])).toEqual(['a.ts: used'])
    expect(findUnused([file], [file, { path: 'b.ts', text: 'used()' }])).toEqual([])
  },
)

test('another file names each exported value: export only what is imported', () => {
  const dashboard = written.filter(({ path }) => /^dashboard\/src\/(?!.*\.test\.)/.test(path))
  const code = files.filter(({ path }) => /\.(tsx?|m?js)$/.test(path))
  expect(findUnused([...sources, ...dashboard], code)).toEqual([])
})
