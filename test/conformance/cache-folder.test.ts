import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { keepFirst, openFresh } from './cache-folder'

let parent: string
beforeEach(() => {
  parent = mkdtempSync(path.join(tmpdir(), 'cache-folder-'))
})
afterEach(() => rmSync(parent, { recursive: true }))

test('of two that fill a folder at the same time, the first one stays', () => {
  const folder = path.join(parent, 'judges', '1')
  const [one, other] = [openFresh(folder), openFresh(folder)]
  expect(existsSync(folder)).toBe(false)
  writeFileSync(path.join(one, 'jar'), 'one')
  writeFileSync(path.join(other, 'jar'), 'other')
  keepFirst(one, folder)
  keepFirst(other, folder)
  expect(readFileSync(path.join(folder, 'jar'), 'utf8')).toBe('one')
  expect(readdirSync(path.dirname(folder))).toEqual(['1'])
})

test('without another, a failure is reported', () => {
  const folder = path.join(parent, '1')
  const fresh = openFresh(folder)
  expect(() => keepFirst(fresh, path.join(parent, 'missing', '1'))).toThrow('ENOENT')
  expect(existsSync(fresh)).toBe(false)
})
