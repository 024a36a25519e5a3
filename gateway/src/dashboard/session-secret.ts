/**
 * What sessions are signed with: read from the operator's file, or made once and kept where only we
 * can read it.
 */

import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import path from 'node:path'
import { makeFolderDurably, writeDurably } from '@einvoicing/kernel/durable-file'
import { SettingsError } from '@einvoicing/kernel/env'
import { readSecretFile } from '@einvoicing/kernel/secret-file'
import type { SessionSecretConfig } from '../config'

const secretBytes = 32 // RFC 7518, section 3.2: HS256 wants a key as long as its hash

/** Throws `SettingsError` where there is none, or one too short to sign with. */
export async function openSessionSecret({ kind, file }: SessionSecretConfig): Promise<string> {
  if (kind === 'own') await makeOnce(file)
  const secret = await readSecretFile('SESSION_SECRET_FILE', file)
  if (secret.length >= secretBytes) return secret
  throw new SettingsError([
    `SESSION_SECRET_FILE: ${file} must hold at least ${secretBytes} characters`,
  ])
}

async function makeOnce(file: string): Promise<void> {
  if (existsSync(file)) return
  await makeFolderDurably(path.dirname(file), 0o700)
  await writeDurably(file, `${randomBytes(secretBytes).toString('base64url')}\n`, 0o600)
}
