// From files, never from the environment, which children inherit and crash reports print.

import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import fs from 'node:fs/promises'
import path from 'node:path'
import { makeFolderDurably, writeDurably } from './durable-file'
import { SettingsError } from './env'
import type { Log } from './log'

/** During a rotation there are several: the first is used, each is accepted. */
export type Secrets = readonly [string, ...string[]]

export interface SecretLines {
  noSecret?: string
}

// The current one, the one before, the next.
const linesMax = 3

/** RFC 7518, section 3.2: an HS256 key is at least as long as the hash. */
export const secretLengthMin = 32

const madeBytes = 32

/** A secret of this process alone, in a file. */
export async function makeSecretOnce(file: string): Promise<void> {
  if (existsSync(file)) return
  await makeFolderDurably(path.dirname(file), 0o700)
  await writeDurably(file, `${randomBytes(madeBytes).toString('base64url')}\n`, 0o600)
}

export async function readSecretFile(setting: string, file: string): Promise<string> {
  const secret = (await readText(setting, file)).trim()
  if (secret !== '') return secret
  throw new SettingsError([`${setting}: ${file} is empty: it must contain only the secret`])
}

export async function readSecretLines(
  setting: string,
  file: string,
  { noSecret }: SecretLines = {},
): Promise<Secrets> {
  const lines = (await readSecretFile(setting, file)).split('\n').map((line) => line.trim())
  const errors = lines.flatMap((line, index) => {
    if (lines.indexOf(line) < index) return [`line ${index + 1} repeats an earlier one`]
    if (line === noSecret || line.length >= secretLengthMin) return []
    const which = lines.length > 1 ? `line ${index + 1} ` : ''
    return [`${which}must hold at least ${secretLengthMin} characters`]
  })
  if (lines.length > linesMax) {
    errors.push(
      `has ${lines.length} lines, the maximum is ${linesMax}: one secret per line, the one in use first`,
    )
  }
  if (errors.length > 0) {
    throw new SettingsError(errors.map((problem) => `${setting}: ${file} ${problem}`))
  }
  return lines as [string, ...string[]]
}

// Container runtimes mount secrets here, often readable by all; no other user exists there.
const mounted = /^(\/var)?\/run\/secrets\//

/** Never fails: an orchestrator chooses the mode of the secrets that it mounts. */
export async function warnOfOpenSecrets(
  files: ReadonlyMap<string, string>,
  log: Log,
): Promise<void> {
  for (const [setting, file] of files) {
    if (mounted.test(file) || !(await isReadableByAll(path.resolve(file)))) continue
    log.warn(
      { setting, file },
      'secret file is readable by every user of this machine: run chmod o-r',
    )
  }
}

async function isReadableByAll(file: string): Promise<boolean> {
  const readMode = async (place: string) => (await fs.stat(place).catch(() => undefined))?.mode ?? 0
  if (((await readMode(file)) & 0o004) === 0) return false
  for (let folder = path.dirname(file); folder !== path.dirname(folder);) {
    if (((await readMode(folder)) & 0o001) === 0) return false
    folder = path.dirname(folder)
  }
  return true
}

async function readText(setting: string, file: string): Promise<string> {
  try {
    return await fs.readFile(file, 'utf8')
  } catch (cause) {
    throw new SettingsError([`${setting} cannot be read: ${(cause as Error).message}`])
  }
}
