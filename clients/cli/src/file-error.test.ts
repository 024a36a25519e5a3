import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { describeFileError } from './file-error'
import { readInput } from './input'
import type { Run } from './run'

const folder = mkdtempSync(path.join(tmpdir(), 'cli-'))
afterAll(() => rmSync(folder, { recursive: true }))

function failing(act: () => unknown): string {
  try {
    act()
  } catch (error) {
    return describeFileError(error as NodeJS.ErrnoException)
  }
  throw new Error('it did not fail')
}

it.each([
  ['a file that is not there', 'no.json', 'Cannot read no.json: there is no such file.'],
  [
    'a path through a file',
    `${__filename}/x`,
    `Cannot open ${__filename}/x: a part of the path is a file, not a folder.`,
  ],
])('%s is named in a sentence', (_what, file, sentence) => {
  expect(failing(() => readFileSync(file))).toBe(sentence)
})

it('names the file of a download, not its temporary name', () => {
  const part = path.join(folder, 'none', 'x.pdf.5293e664-1b2c.part')
  expect(failing(() => writeFileSync(part, ''))).toBe(
    `Cannot write ${path.join(folder, 'none', 'x.pdf')}: the folder ${path.join(folder, 'none')} does not exist.`,
  )
})

it('says that a folder is not a file', async () => {
  const run = { stdin: process.stdin, interrupted: new AbortController().signal } as unknown as Run
  await expect(readInput(run, folder, 1)).rejects.toThrow(`${folder} is a folder, not a file.`)
})
