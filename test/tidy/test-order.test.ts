import path from 'node:path'
import { root, written } from './tree'

interface Test {
  path: string
  context: object
}
const LongestFirst = jest.requireActual<new (options: object) => { sort(tests: Test[]): Test[] }>(
  '../jest/longest-first.js',
)

/** The helpers of `test/` that open a set of services, and those that call these. */
function listOpeners(): ReadonlySet<string> {
  const exported = written
    .filter(({ path }) => /^test\/.*(?<!\.test)\.ts$/.test(path))
    .flatMap(({ text }) => text.split(/^(?=export )/m))
  const openers = new Set<string>()
  const opens = (text: string) =>
    /\b(openSharedStack|borrowStack)\('services'\)/.test(text) ||
    [...openers].some((name) => text.includes(`${name}(`))
  for (let known = -1; known < openers.size;) {
    known = openers.size
    for (const text of exported) {
      const [, name] = /^export (?:async )?(?:function|const) (\w+)/.exec(text) ?? []
      if (name !== undefined && opens(text)) openers.add(name)
    }
  }
  return openers
}

const listImported = (text: string): string[] =>
  [...text.matchAll(/^import \{([^}]*)\} from/gm)].flatMap(
    ([, names = '']) => names.match(/\w+/g) ?? [],
  )

test('files that use services start one after another, but for those that kill processes', () => {
  const files = written.filter(({ path }) => /^(test|services|gateway)\/.*\.test\.ts$/.test(path))
  const displayName = (file: string) => file.split('/')[1]
  const tests = files.map((file) => ({
    path: path.join(root, file.path),
    context: {
      config: { rootDir: root, cache: false, displayName: { name: displayName(file.path) } },
      hasteFS: { getSize: () => file.text.length },
    },
  }))
  const openers = listOpeners()
  const users = files.filter(({ text }) => listImported(text).some((name) => openers.has(name)))
  const paths = new Set(users.map((file) => path.join(root, file.path)))
  const order = new LongestFirst({}).sort(tests)
  expect(new Set(order)).toEqual(new Set(tests))
  const uses = order
    .filter((one) => !one.path.includes('/test/faults/'))
    .map((one) => paths.has(one.path))
  const count = uses.filter(Boolean).length
  expect(count).toBeGreaterThan(20)
  expect(uses.lastIndexOf(true) - uses.indexOf(true) + 1).toBe(count)
})
