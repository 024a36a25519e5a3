import { execFile } from 'node:child_process'
import path from 'node:path'
import { promisify } from 'node:util'
import { findFreePort, findFreeRow, isFree } from './ports'

test('no port is given twice, though nothing listens on any', async () => {
  const given = await Promise.all(Array.from({ length: 500 }, () => findFreePort()))
  expect(new Set(given).size).toBe(given.length)
})

test('no port is given twice by concurrent processes', async () => {
  const module = JSON.stringify(path.join(__dirname, '../dist/ports.js'))
  const program = `const { findFreePort } = require(${module})
    Promise.all(Array.from({ length: 300 }, () => findFreePort()))
      .then((given) => console.log(given.join(' ')))`
  const run = () => promisify(execFile)(process.execPath, ['-e', program])
  const answers = await Promise.all([run(), run(), run()])
  const given = answers.flatMap(({ stdout }) => stdout.trim().split(' '))
  expect(new Set(given).size).toBe(900)
})

test('a range has free ports only, and no port is returned twice', async () => {
  const first = await findFreeRow(3)
  const row = [first, first + 1, first + 2]
  expect(await Promise.all(row.map(isFree))).toEqual([true, true, true])
  const given = await Promise.all(Array.from({ length: 500 }, () => findFreePort()))
  expect(given.filter((port) => row.includes(port))).toEqual([])
})
