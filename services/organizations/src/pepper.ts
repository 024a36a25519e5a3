/**
 * The pepper: a secret outside the store that API key digests are keyed with.
 *
 * Refuses to start with another pepper than the store's keys were kept with, for every one of them
 * would be refused.
 */

import { createHmac } from 'node:crypto'
import { SettingsError } from '@einvoicing/kernel/env'
import { readSecretFile } from '@einvoicing/kernel/secret-file'
import type { OrganizationStore } from './store/store'

const pepperBytesMin = 32

/**
 * Reads it, blanks at both ends dropped. Throws `SettingsError` when unreadable or too short to be
 * a secret.
 */
export async function readPepper(file: string | undefined): Promise<Buffer | undefined> {
  if (file === undefined) return undefined
  const pepper = Buffer.from(await readSecretFile('API_KEY_PEPPER_FILE', file))
  if (pepper.length >= pepperBytesMin) return pepper
  throw new SettingsError([
    `API_KEY_PEPPER_FILE: ${file} must hold at least ${pepperBytesMin} characters, for example from: openssl rand -base64 48`,
  ])
}

/** Throws `SettingsError` when the store's keys were kept with another pepper, or with none. */
export async function provePepper(
  store: OrganizationStore,
  pepper: Buffer | undefined,
): Promise<void> {
  const mark = pepper ? createHmac('sha256', pepper).update('pepper').digest('hex') : 'none'
  if ((await store.rememberFirst('pepper', mark)) === mark) return
  throw new SettingsError([
    'API_KEY_PEPPER_FILE is not what the stored API keys were made with, so all of them would be refused: set it as it was',
  ])
}
