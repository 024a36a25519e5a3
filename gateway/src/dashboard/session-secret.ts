/**
 * What sessions are signed with: read from the operator's file, or made once and kept where only we
 * can read it.
 */

import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { makeFolderDurably, writeDurably } from '@einvoicing/kernel/durable-file'
import type { SessionSecretConfig } from '../config'

const secretBytes = 32 // RFC 7518, section 3.2: HS256 wants a key as long as its hash

export async function openSessionSecret({ kind, file }: SessionSecretConfig): Promise<string> {
  if (kind === 'own') await makeOnce(file)
  const secret = (await readFile(file, 'utf8')).trim()
  if (secret.length >= secretBytes) return secret
  throw new Error(`the session secret in ${file} must have at least ${secretBytes} characters`)
}

async function makeOnce(file: string): Promise<void> {
  if (existsSync(file)) return
  await makeFolderDurably(path.dirname(file), 0o700)
  await writeDurably(file, `${randomBytes(secretBytes).toString('base64url')}\n`, 0o600)
}
