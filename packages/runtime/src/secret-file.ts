/**
 * Secrets are read from files that a setting names, never from the environment itself, which
 * children inherit and crash reports print.
 *
 * Refuses a secret too short to be one, and tells by setting, file and line, never by content.
 */

import fs from 'node:fs/promises'
import path from 'node:path'
import { SettingsError } from './env'
import type { Log } from './log'

/** While a secret is renewed there are several: the first is used, each is accepted. */
export type Secrets = readonly [string, ...string[]]

/** What a line may be besides a secret. */
export interface SecretLines {
  /** A word that stands for having no secret. */
  noSecret?: string
}

// The one in use, the one before it, the one to come.
const linesMax = 3

/** RFC 7518, section 3.2: HS256 wants a key as long as its hash. */
export const secretLengthMin = 32

/**
 * What the file holds, blanks at both ends dropped. Throws `SettingsError` that names the setting
 * when it cannot be read or is empty.
 */
export async function readSecretFile(setting: string, file: string): Promise<string> {
  const secret = (await readText(setting, file)).trim()
  if (secret !== '') return secret
  throw new SettingsError([`${setting}: ${file} is empty; it must hold the secret alone`])
}

/**
 * A secret that can be renewed while it is in use: one a line, at most three, each of at least
 * `secretLengthMin` characters. Throws `SettingsError` naming every line invalid.
 */
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
      `holds ${lines.length} lines and may hold ${linesMax}: a secret each, the first in use`,
    )
  }
  if (errors.length > 0) {
    throw new SettingsError(errors.map((problem) => `${setting}: ${file} ${problem}`))
  }
  return lines as [string, ...string[]]
}

// Where container runtimes mount secrets, often readable by all: there we are the only ones.
const mounted = /^(\/var)?\/run\/secrets\//

/**
 * Warns of each file that every user of the machine could read. Never refuses: a secret mounted by
 * an orchestrator has the mode that the orchestrator gives it.
 */
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
  const modeOf = async (place: string) => (await fs.stat(place).catch(() => undefined))?.mode ?? 0
  if (((await modeOf(file)) & 0o004) === 0) return false
  for (let folder = path.dirname(file); folder !== path.dirname(folder);) {
    if (((await modeOf(folder)) & 0o001) === 0) return false
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
