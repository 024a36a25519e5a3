import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { makeFolderDurably, writeDurably } from './durable-file'

describe('durable files', () => {
  let folder: string
  beforeEach(() => (folder = mkdtempSync(path.join(os.tmpdir(), 'durable-'))))
  afterEach(() => rmSync(folder, { recursive: true }))

  it('leaves the whole file and nothing beside it', async () => {
    const file = path.join(folder, 'secret')
    await writeDurably(file, 'first', 0o600)
    await writeDurably(file, 'second', 0o600)
    expect(readFileSync(file, 'utf8')).toBe('second')
    expect(statSync(file).mode & 0o777).toBe(0o600)
    expect(existsSync(`${file}.tmp`)).toBe(false)
  })

  it('overwrites what a crash left, with private permissions first', async () => {
    const file = path.join(folder, 'secret')
    writeFileSync(`${file}.tmp`, 'half of some', { mode: 0o644 })
    await writeDurably(file, 'whole', 0o600)
    expect(readFileSync(file, 'utf8')).toBe('whole')
    expect(statSync(file).mode & 0o777).toBe(0o600)
  })

  it('creates folders with their mode, and accepts existing ones', async () => {
    const made = path.join(folder, 'a', 'b')
    await makeFolderDurably(made, 0o700)
    await makeFolderDurably(made, 0o700)
    expect(statSync(made).mode & 0o777).toBe(0o700)
  })
})
