/**
 * Secrets are read from files that a setting names, never from the environment itself, which
 * children inherit and crash reports print.
 */

import fs from 'node:fs/promises'
import { SettingsError } from './env'

/**
 * What the file holds, blanks at both ends dropped. Throws `SettingsError` that names the setting
 * when it cannot be read or is empty.
 */
export async function readSecretFile(setting: string, file: string): Promise<string> {
  const secret = (await readText(setting, file)).trim()
  if (secret !== '') return secret
  throw new SettingsError([`${setting}: ${file} is empty; it must hold the secret alone`])
}

async function readText(setting: string, file: string): Promise<string> {
  try {
    return await fs.readFile(file, 'utf8')
  } catch (cause) {
    throw new SettingsError([`${setting} cannot be read: ${(cause as Error).message}`])
  }
}
