import path from 'node:path'
import { root, written } from './tree'

interface Test {
  path: string
  context: object
}
const LongestFirst = jest.requireActual<new (options: object) => { sort(tests: Test[]): Test[] }>(
  '../jest/longest-first.js',
)
const usesServices = /\b(onEveryStack|onEveryOwnStack|onEveryStackAndWire|borrowServices)\(/

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
  const texts = new Map(files.map((file) => [path.join(root, file.path), file.text]))
  const order = new LongestFirst({}).sort(tests)
  expect(new Set(order)).toEqual(new Set(tests))
  const uses = order
    .filter((one) => !one.path.includes('/test/faults/'))
    .map((one) => usesServices.test(texts.get(one.path)!))
  const users = uses.filter(Boolean).length
  expect(users).toBeGreaterThan(20)
  expect(uses.lastIndexOf(true) - uses.indexOf(true) + 1).toBe(users)
})
