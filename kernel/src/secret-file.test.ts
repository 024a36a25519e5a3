import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { SettingsError } from './env'
import { readSecretFile } from './secret-file'

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'secret-'))
const file = path.join(folder, 'password')
afterAll(() => fs.rmSync(folder, { recursive: true }))

it('reads the secret without the line end that editors leave', async () => {
  fs.writeFileSync(file, ' pass word\n')
  expect(await readSecretFile('REDIS_PASSWORD_FILE', file)).toBe('pass word')
})

it('refuses a file that is empty or not there, naming the setting', async () => {
  fs.writeFileSync(file, '\n')
  const empty = readSecretFile('REDIS_PASSWORD_FILE', file)
  await expect(empty).rejects.toThrow(SettingsError)
  await expect(empty).rejects.toThrow(/REDIS_PASSWORD_FILE: .*password is empty/)
  const absent = readSecretFile('REDIS_PASSWORD_FILE', path.join(folder, 'absent'))
  await expect(absent).rejects.toThrow(/REDIS_PASSWORD_FILE cannot be read: ENOENT.*absent/)
})
