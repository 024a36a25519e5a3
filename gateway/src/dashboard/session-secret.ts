/**
 * What sessions are signed with: read from the operator's file, or made once and kept where only we
 * can read it.
 */

import { randomBytes } from 'node:crypto'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import type { SessionSecretConfig } from '../config'

const secretBytes = 32 // RFC 7518, section 3.2: HS256 wants a key as long as its hash

export async function openSessionSecret({ kind, file }: SessionSecretConfig): Promise<string> {
  if (kind === 'own') await makeOnce(file)
  const secret = (await readFile(file, 'utf8')).trim()
  if (secret.length >= secretBytes) return secret
  throw new Error(`the session secret in ${file} must have at least ${secretBytes} characters`)
}

async function makeOnce(file: string): Promise<void> {
  await mkdir(path.dirname(file), { recursive: true, mode: 0o700 })
  const secret = randomBytes(secretBytes).toString('base64url')
  await writeFile(file, `${secret}\n`, { flag: 'wx', mode: 0o600 }).catch(unlessThere)
}

function unlessThere(error: NodeJS.ErrnoException): void {
  if (error.code !== 'EEXIST') throw error
}
