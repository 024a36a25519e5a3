/** API key digests are keyed with a secret outside the store. A rotation uses several at once. */

import { createHmac } from 'node:crypto'
import { SettingsError } from '@einvoicing/runtime/env'
import { ApiError, unavailable } from '@einvoicing/domain/api-error'
import { readSecretLines } from '@einvoicing/runtime/secret-file'
import type { OrganizationStore } from './store/store'

export interface Pepper {
  key: Buffer | undefined
  /** Identifies the pepper in the store; reveals nothing of it. */
  mark: string
}

/** The first is current; keys stored under the others are found too. */
export type PepperLines = readonly [Pepper, ...Pepper[]]

export interface ProvenPeppers {
  lines: PepperLines
  /** Marks of all current and former peppers, in order. */
  history: readonly string[]
}

const none = 'none'

/** Throws `SettingsError` when the file is unreadable or a line is too short. */
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

export function isOlder(mark: string, { lines, history }: ProvenPeppers): boolean {
  // Never replace a newer one by ours: two processes one restart apart would alternate.
  const place = history.indexOf(mark)
  return place >= 0 && place < history.indexOf(lines[0].mark)
}

/** Throws `SERVICE_UNAVAILABLE` until the store has proved the pepper. */
export type ReadPeppers = () => Promise<ProvenPeppers>

export function provenBy(store: OrganizationStore, lines: PepperLines): ReadPeppers {
  let proof: Promise<ProvenPeppers> | undefined
  return () =>
    (proof ??= prove(store, lines).catch((error: unknown) => {
      proof = undefined
      throw error instanceof SettingsError ? unavailable('The organization store', error) : error
    }))
}

/** Throws `SettingsError` with a wrong pepper; an unavailable store may prove it later. */
export async function proveAtStart(peppers: ReadPeppers): Promise<void> {
  try {
    await peppers()
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    if (error.cause instanceof SettingsError) throw error.cause
  }
}

/** Also stores the first line as the current pepper. */
async function prove(store: OrganizationStore, lines: PepperLines): Promise<ProvenPeppers> {
  const history: string[] = []
  const isOurs = (mark: string | undefined) => lines.some((line) => line.mark === mark)
  for (;;) {
    const next = history.length === 0 ? 'pepper' : `pepper after ${history.at(-1)}`
    let mark = await store.remembered(next)
    if (mark === undefined) {
      if (history.length > 0 && !isOurs(history.at(-1))) throw wrongPepper()
      if (history.includes(lines[0].mark)) return { lines, history }
      // Of several processes one writes first; the others continue from its value.
      mark = await store.rememberFirst(next, lines[0].mark)
    }
    history.push(mark)
  }
}

function wrongPepper(): SettingsError {
  return new SettingsError([
    `API_KEY_PEPPER_FILE does not contain the pepper of the stored API keys, so all of them would be rejected: restore the file, or add that pepper as a second line ("${none}" if there was none)`,
  ])
}
