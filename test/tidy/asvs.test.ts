/** Each requirement of ASVS 5.0, levels 1 and 2, of V6 to V8 is answered by files that exist. */

import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'

const root = path.join(__dirname, '../..')
const page = readFileSync(path.join(root, 'docs/operations/asvs.md'), 'utf8')

// How many requirements a section of the standard has, and which of them are of level 3.
const sections: Record<string, [count: number, ...levelThree: number[]]> = {
  '6.1': [3],
  '6.2': [12],
  '6.3': [8, 5, 6, 7, 8],
  '6.4': [6, 5, 6],
  '6.5': [8, 6, 7, 8],
  '6.6': [4, 4],
  '6.7': [2, 1, 2],
  '6.8': [4],
  '7.1': [3],
  '7.2': [4],
  '7.3': [2],
  '7.4': [5],
  '7.5': [3, 3],
  '7.6': [2],
  '8.1': [4, 3, 4],
  '8.2': [4, 4],
  '8.3': [3, 2, 3],
  '8.4': [2, 2],
}

const expected = Object.entries(sections).flatMap(([section, [count, ...levelThree]]) =>
  Array.from({ length: count }, (_, index) => index + 1)
    .filter((number) => !levelThree.includes(number))
    .map((number) => `${section}.${number}`),
)

const rows = [...page.matchAll(/^\| (\d\.\d\.\d+) \| ([12]) \| [^|]+ \| ([^|]+) \|$/gm)]

it('has a line for each requirement, in order', () => {
  expect(rows.map(([, number]) => number)).toEqual(expected)
})

it('names a test that exists, or says why not', () => {
  const unanswered = rows.filter(([, , , answer = '']) => {
    const files = [...answer.matchAll(/`([\w./-]+\.(?:test|contract)\.ts)`/g)]
    if (files.some(([, file = '']) => !existsSync(path.join(root, file)))) return true
    return files.length === 0 && !/not met, because |does not apply: /.test(answer)
  })
  expect(unanswered.map(([, number, , answer]) => `${number}: ${answer}`)).toEqual([])
})
