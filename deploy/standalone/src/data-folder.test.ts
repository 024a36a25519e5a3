import { chmodSync, mkdtempSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { PassThrough } from 'node:stream'
import { createLog } from '@einvoicing/runtime/log'
import { lockDataFolder, warnOfOpenFolder } from './data-folder'

test('a data folder that others can read causes a warning; one that we create is private', () => {
  let logged = ''
  const stream = new PassThrough().on('data', (line: Buffer) => (logged += line.toString()))
  const log = createLog('info', stream)
  const parent = mkdtempSync(path.join(tmpdir(), 'data-folder-'))
  const made = path.join(parent, 'made')
  void lockDataFolder(made).close()
  expect(statSync(made).mode & 0o777).toBe(0o700)
  warnOfOpenFolder(made, log)
  chmodSync(made, 0o750)
  warnOfOpenFolder(made, log)
  expect(logged).toBe('')
  for (const mode of [0o755, 0o701, 0o704]) {
    chmodSync(made, mode)
    warnOfOpenFolder(made, log)
  }
  expect(
    logged.match(/DATA_DIR is readable by every user of this machine: run chmod o-rwx/g),
  ).toHaveLength(3)
})
