import { findCycle, reachable, readGraph } from './import-graph'
import arrows from './arrows.json'
import { files, isForDevelopment, isTest, read, packageFolder, written } from './tree'

const typescript = files.filter(({ path }) => /\.tsx?$/.test(path))
const graph = readGraph(typescript)
/** Which package may import which, by folder. One that is not here may import any. */
const mayImport: Readonly<Record<string, readonly string[]>> = arrows

/**
 * By the table, and: every test may start the real servers, which know nothing of us.
 */
function isAllowed(file: string, to: string): boolean {
  const from = packageFolder(file)
  if (from === to || (to === 'test/servers' && isTest(file))) return true
  if (to.startsWith('test')) return from.startsWith('test')
  return mayImport[from]?.includes(to) ?? /^(deploy|test|docs)(\/|$)/.test(from)
}

test('the reader of imports sees static, dynamic, type and worker imports', () => {
  const path = 'services/signer/src/service.ts'
  const text = `
    import { Decimal } from '@einvoicing/domain/decimal'
    import type { Key } from './keys/key'
    import { readFile } from 'node:fs/promises'
    const open = () => import('./keys/software')
    import x509 from '@peculiar/x509/sub/path'
    new Worker(join(__dirname, 'keys', 'key-thread.js'))`
  const [decimal, key, software, thread] = [
    'packages/domain/src/decimal.ts',
    ...['key', 'software', 'key-thread'].map((name) => `services/signer/src/keys/${name}.ts`),
  ] as const
  const others = [decimal, key, software, thread].map((other) => ({ path: other!, text: '' }))
  const { ours, started, packages } = readGraph([{ path, text }, ...others])
  expect(ours.get(path)).toEqual([decimal, key, software])
  expect(started.get(path)).toEqual([thread])
  expect(packages.get(path)).toEqual(['@peculiar/x509'])
})

test('imports follow the arrows: call another package through its contract, joined in deploy/', () => {
  const against = [...graph.ours].flatMap(([from, imports]) =>
    imports
      .filter((to) => !isAllowed(from, packageFolder(to)))
      .map((to) => `${from} imports ${to}`),
  )
  expect(against).toEqual([])
})

test('imports have no cycles: move what both need into a third file', () => {
  expect(findCycle(new Map(Object.entries({ a: ['b'], b: ['c'], c: ['a'] })))).toHaveLength(4)
  expect(findCycle(graph.ours)).toBeUndefined()
})

test('no file is dead: delete what nothing imports', () => {
  const isEntry = (path: string) => /(\.test|(^|\/)main)\.ts$/.test(path)
  const uses = new Map(
    [...graph.ours].map(([path, imports]) => [path, [...imports, ...graph.started.get(path)!]]),
  )
  const alive = reachable(
    uses,
    written.map(({ path }) => path).filter((path) => isEntry(path)),
  )
  const dead = written.map(({ path }) => path).filter((path) => !alive.has(path))
  expect(dead).toEqual([])
})

describe('package.json', () => {
  const manifests = files
    .filter(({ path }) => /(^|\/)package\.json$/.test(path))
    .map(({ path, text }) => ({ path, ...(JSON.parse(text) as Manifest) }))
  const rootManifest = JSON.parse(read('package.json')) as Manifest

  // A font or a stylesheet is found by path, not imported.
  const mentions = (folder: string, name: string) =>
    typescript.some(({ path, text }) => packageFolder(path) === folder && text.includes(`'${name}`))

  const importedBy = (folder: string, inTests: boolean) =>
    new Set(
      [...graph.packages]
        .filter(([path]) => packageFolder(path) === folder)
        .filter(([path]) => inTests || !isTest(path))
        .flatMap(([, packages]) => packages),
    )

  test('of each package names every package its sources import', () => {
    const missing = manifests
      .filter(({ path }) => path !== 'package.json')
      .flatMap(({ path, dependencies, optionalDependencies }) =>
        [...importedBy(path.replace('/package.json', ''), isForDevelopment(path))]
          .filter((name) => !(name in { ...dependencies, ...optionalDependencies }))
          .filter((name) => !isForDevelopment(path) || !(name in rootManifest.devDependencies!))
          .map((name) => `${path} should name ${name}`),
      )
    expect(missing).toEqual([])
  })

  test('of each package names no package its sources do not import', () => {
    const idle = manifests
      .filter(({ path }) => path !== 'package.json')
      .flatMap(({ path, dependencies }) => {
        const folder = path.replace('/package.json', '')
        const imported = importedBy(folder, true)
        return Object.keys(dependencies ?? {})
          .filter((name) => !name.startsWith('@einvoicing/') && !imported.has(name))
          .filter((name) => !mentions(folder, name))
          .map((name) => `${path} need not name ${name}`)
      })
    expect(idle).toEqual([])
  })
})

interface Manifest {
  dependencies?: Record<string, string>
  devDependencies?: Record<string, string>
  optionalDependencies?: Record<string, string>
}
