/** A setting that is empty, or blank, is not set: as where the service reads it. */

import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { openSqliteStore } from '@einvoicing/organizations/store/sqlite/sqlite-store'
import { EnvReader } from '@einvoicing/runtime/env'
import { makeRoot } from '@einvoicing/simulator/time-stamps/make-certificates'
import { verify as verifyArchive } from './archive-verify'
import { verify as verifyAudit } from './audit-verify'
import type { Shell } from './shell'
import { readTimeStampTrust } from './time-stamp-trust'

const before = process.cwd()
let folder: string
beforeEach(async () => {
  folder = mkdtempSync(path.join(tmpdir(), 'empty-settings-'))
  mkdirSync(path.join(folder, 'data', 'simulator'), { recursive: true })
  mkdirSync(path.join(folder, 'data', 'artefacts'))
  const { certificate } = await makeRoot(new Date())
  writeFileSync(path.join(folder, 'data/simulator/tsa-root.pem'), certificate.toString())
  process.chdir(folder)
})
afterEach(() => {
  process.chdir(before)
  rmSync(folder, { recursive: true })
})

async function run(
  command: (shell: Shell) => Promise<number>,
  environment: NodeJS.ProcessEnv,
): Promise<{ status: number; notes: string[] }> {
  const notes: string[] = []
  const shell = {
    environment,
    operator: 'Anna',
    print() {},
    note: (text: string) => void notes.push(text),
  }
  return { status: await command(shell), notes }
}

it.each([
  {},
  { DATA_DIR: '' },
  { DATA_DIR: ' ' },
  { DATA_DIR: '', TSA_URL: ' ', TSA_TRUSTED_CERTIFICATES_FILE: ' ' },
])('time stamps of the sandbox are trusted with %j', async (environment) => {
  expect(await readTimeStampTrust(new EnvReader(environment))).toHaveLength(1)
})

it.each([{ MONGODB_URL: ' ' }, { MONGODB_URL: '' }])(
  'both audit logs are verified with %j',
  async (environment) => {
    await openSqliteStore(path.join(folder, 'data', 'organizations.db')).close()
    writeFileSync(path.join(folder, 'data', 'invoices.db'), '')
    expect(await run((shell) => verifyAudit(shell, {}), environment)).toEqual({
      status: 0,
      notes: [],
    })
  },
)

it('an archive is verified without the store with a blank MONGODB_URL', async () => {
  expect(await run(verifyArchive, { MONGODB_URL: ' ' })).toEqual({ status: 0, notes: [] })
})
