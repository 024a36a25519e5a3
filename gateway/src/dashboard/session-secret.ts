import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import path from 'node:path'
import { makeFolderDurably, writeDurably } from '@einvoicing/runtime/durable-file'
import { readSecretLines } from '@einvoicing/runtime/secret-file'
import { tokenKeys, type TokenKeys } from '@einvoicing/access/token-keys'
import type { SessionSecretConfig } from '../config'

const secretBytes = 32

/** Throws `SettingsError` for a secret that is missing or too short. */
export async function openSessionKeys({ kind, file }: SessionSecretConfig): Promise<TokenKeys> {
  if (kind === 'own') await makeOnce(file)
  return tokenKeys(await readSecretLines('SESSION_SECRET_FILE', file))
}

async function makeOnce(file: string): Promise<void> {
  if (existsSync(file)) return
  await makeFolderDurably(path.dirname(file), 0o700)
  await writeDurably(file, `${randomBytes(secretBytes).toString('base64url')}\n`, 0o600)
}
