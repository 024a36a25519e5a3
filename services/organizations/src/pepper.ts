/**
 * The pepper: a secret outside the store that API key digests are keyed with.
 *
 * While it is renewed there are several, and which came after which is remembered in the store by
 * their marks. Refuses to start without the one that keys are kept under now, for every one of them
 * would be refused.
 */

import { createHmac } from 'node:crypto'
import { SettingsError } from '@einvoicing/runtime/env'
import { ApiError, unavailable } from '@einvoicing/domain/api-error'
import { readSecretLines } from '@einvoicing/runtime/secret-file'
import type { OrganizationStore } from './store/store'

export interface Pepper {
  /** Absent: digests are not keyed. */
  key: Buffer | undefined
  /** What the store knows it by; tells nothing of it. */
  mark: string
}

/** The first is in use; keys kept under the others are found too. */
export type PepperLines = readonly [Pepper, ...Pepper[]]

export interface ProvenPeppers {
  lines: PepperLines
  /** Marks of all that were ever in use, in their order. */
  history: readonly string[]
}

const none = 'none'

/** Throws `SettingsError` when the file is unreadable or a line is too short to be a secret. */
export async function readPeppers(file: string | undefined): Promise<PepperLines> {
  if (file === undefined) return [findPepper(none)]
  const lines = await readSecretLines('API_KEY_PEPPER_FILE', file, { noSecret: none })
  const [inUse, ...others] = lines
  return [findPepper(inUse), ...others.map(findPepper)]
}

function findPepper(line: string): Pepper {
  if (line === none) return { key: undefined, mark: none }
  const key = Buffer.from(line)
  return { key, mark: createHmac('sha256', key).update('pepper').digest('hex') }
}

/** Whether a key kept under `mark` is to be kept again under the pepper in use. */
export function isOlder(mark: string, { lines, history }: ProvenPeppers): boolean {
  // One that is not in use anywhere yet, or came later, is never left for ours: two processes one
  // restart apart would move a key to and fro.
  const place = history.indexOf(mark)
  return place >= 0 && place < history.indexOf(lines[0].mark)
}

/**
 * The peppers once the store has proved them, asked again as long as the store is unavailable.
 * Until then,
 * and for ever with a wrong one, throws `SERVICE_UNAVAILABLE`: no key may be refused for our error.
 */
export type AskPeppers = () => Promise<ProvenPeppers>

export function provenBy(store: OrganizationStore, lines: PepperLines): AskPeppers {
  let proof: Promise<ProvenPeppers> | undefined
  return () =>
    (proof ??= prove(store, lines).catch((error: unknown) => {
      proof = undefined
      throw error instanceof SettingsError ? unavailable('The organization store', error) : error
    }))
}

/** Throws `SettingsError` with a wrong pepper; a store that is unavailable may prove it later. */
export async function proveAtStart(peppers: AskPeppers): Promise<void> {
  try {
    await peppers()
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    if (error.cause instanceof SettingsError) throw error.cause
  }
}

/** Also remembers the first line as the latest in use, where it never was. */
async function prove(store: OrganizationStore, lines: PepperLines): Promise<ProvenPeppers> {
  const history: string[] = []
  const isOurs = (mark: string | undefined) => lines.some((line) => line.mark === mark)
  for (;;) {
    const next = history.length === 0 ? 'pepper' : `pepper after ${history.at(-1)}`
    let mark = await store.remembered(next)
    if (mark === undefined) {
      if (history.length > 0 && !isOurs(history.at(-1))) throw wrongPepper()
      if (history.includes(lines[0].mark)) return { lines, history }
      // Of several processes one is first, and the others go on from what it kept.
      mark = await store.rememberFirst(next, lines[0].mark)
    }
    history.push(mark)
  }
}

function wrongPepper(): SettingsError {
  return new SettingsError([
    `API_KEY_PEPPER_FILE is not what the stored API keys were made with, so all of them would be refused: set it as it was, or add that pepper as a second line, "${none}" where there was none`,
  ])
}
