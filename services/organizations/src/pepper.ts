/**
 * The pepper: a secret outside the store that API key digests are keyed with.
 *
 * Refuses to start with another pepper than the store's keys were kept with, for every one of them
 * would be refused.
 */

import { createHmac } from 'node:crypto'
import { SettingsError } from '@einvoicing/kernel/env'
import { Refusal, unavailable } from '@einvoicing/kernel/refusal'
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

/**
 * The pepper once the store has proved it, asked again as long as the store is away. Until then,
 * and for ever with a wrong one, throws `SERVICE_UNAVAILABLE`: no key may be refused for our fault.
 */
export type ProvenPepper = () => Promise<Buffer | undefined>

export function provenBy(store: OrganizationStore, pepper: Buffer | undefined): ProvenPepper {
  let proof: Promise<void> | undefined
  return async () => {
    proof ??= prove(store, pepper).catch((error: unknown) => {
      proof = undefined
      throw error instanceof SettingsError ? unavailable('The organization store', error) : error
    })
    await proof
    return pepper
  }
}

/** Throws `SettingsError` with a wrong pepper; a store that is away may prove it later. */
export async function proveAtStart(pepper: ProvenPepper): Promise<void> {
  try {
    await pepper()
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    if (error.cause instanceof SettingsError) throw error.cause
  }
}

async function prove(store: OrganizationStore, pepper: Buffer | undefined): Promise<void> {
  const mark = pepper ? createHmac('sha256', pepper).update('pepper').digest('hex') : 'none'
  if ((await store.rememberFirst('pepper', mark)) === mark) return
  throw new SettingsError([
    'API_KEY_PEPPER_FILE is not what the stored API keys were made with, so all of them would be refused: set it as it was',
  ])
}
