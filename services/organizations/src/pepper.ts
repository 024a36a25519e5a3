/**
 * The pepper: a secret outside the store that API key digests are keyed with.
 *
 * Refuses to start with another pepper than the store's keys were kept with, for every one of them
 * would be refused.
 */

import { createHmac } from 'node:crypto'
import fs from 'node:fs/promises'
import { SettingsError } from '@einvoicing/kernel/env'
import type { OrganizationStore } from './store/store'

const pepperBytesMin = 32

/**
 * Reads it, blanks at both ends dropped. Throws `SettingsError` when unreadable or too short to be
 * a secret.
 */
export async function readPepper(file: string | undefined): Promise<Buffer | undefined> {
  if (file === undefined) return undefined
  const pepper = Buffer.from((await readText(file)).trim())
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

async function readText(file: string): Promise<string> {
  try {
    return await fs.readFile(file, 'utf8')
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause)
    throw new SettingsError([`API_KEY_PEPPER_FILE cannot be read: ${reason}`])
  }
}
