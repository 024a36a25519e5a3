import { resolvePath } from './import-graph'
import { files, sources, written, type SourceFile } from './tree'

const exported = /^export (?:async )?(?:abstract )?(?:function\*?|const|class) (\w+)/gm
const imported =
  /\b(?:import|export)\s+(?:type\s+)?(?:\w+,\s*)?\{([^}]*)\}\s*from\s*['"]([^'"]+)['"]/g
/** All that they export may be used. */
const loaded =
  /\bimport\s*\(\s*['"]([^'"]+)['"]|\brequire(?:Actual)?(?:<[^(]*>)?\(\s*['"]([^'"]+)['"]|\* (?:as \w+ )?from ['"]([^'"]+)['"]/g

const toModule = (file: string) => file.replace(/\.(tsx?|m?js)$/, '').replace('/dist/', '/src/')

function findUnused(exporting: SourceFile[], all: SourceFile[]): string[] {
  const used = new Set<string>()
  const whole = new Set<string>()
  for (const { path, text } of all) {
    const find = (specifier = '') => toModule(resolvePath(specifier, path) ?? '')
    for (const [, names = '', from] of text.matchAll(imported)) {
      for (const [name] of names.matchAll(/(?<!\bas\s+)\b(?!type\s+\w|as\b)\w+/g)) {
        used.add(`${find(from)}: ${name}`)
      }
    }
    for (const [, ...from] of text.matchAll(loaded)) whole.add(find(from.find(Boolean)))
  }
  return exporting.flatMap(({ path, text }) => {
    const module = toModule(path)
    if (module.endsWith('/worker') || whole.has(module)) return []
    const names = [...text.matchAll(exported)].map(([, name = '']) => name)
    return names.filter((name) => !used.has(`${module}: ${name}`)).map((name) => `${path}: ${name}`)
  })
}

test.each(['function* used() {}', 'const used = 1', 'abstract class used {}'])(
  'catches what no other file imports: export %s',
  (value) => {
    const file = { path: 'src/a.ts', text: `export ${value}` }
    const found = (text: string) => findUnused([file], [file, { path: 'src/b.ts', text }])
    expect(found('const used = 2')).toEqual(['src/a.ts: used'])
    expect(found(`import { used } from './c'`)).toEqual(['src/a.ts: used'])
    expect(found(`import { other as used } from './a'`)).toEqual(['src/a.ts: used'])
    expect(found(`import {\n  other,\n  used as renamed,\n} from '../src/a'`)).toEqual([])
    expect(found(`const { used } = await import('./a')`)).toEqual([])
  },
)

test('another file imports each exported value', () => {
  const pages = written.filter(({ path }) =>
    /^(dashboard|docs\/site)\/src\/(?!.*\.test\.)/.test(path),
  )
  const code = files.filter(({ path }) => /\.(tsx?|m?js)$/.test(path))
  expect(findUnused([...sources, ...pages], code)).toEqual([])
})
