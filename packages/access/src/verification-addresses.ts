import path from 'node:path'
import type { EnvReader } from '@einvoicing/runtime/env'
import { makeSecretOnce, readSecretLines } from '@einvoicing/runtime/secret-file'
import { tokenKeys, type TokenKeys } from './token-keys'
import { createVerificationToken } from './verification-token'

export interface VerifySecretConfig {
  file: string
  isOwn: boolean
}

/** `undefined`: documents have no verification page. */
export function readVerifySecretConfig(
  env: EnvReader,
  dataDir: string | undefined,
): VerifySecretConfig | undefined {
  const file = env.secretFile('VERIFY_SECRET_FILE')
  if (file !== undefined) return { file, isOwn: false }
  if (dataDir === undefined) return undefined
  return { file: path.join(dataDir, 'gateway', 'verify.secret'), isOwn: true }
}

/** Throws `SettingsError` for a secret that is missing or too short. */
export async function openVerificationKeys({
  file,
  isOwn,
}: VerifySecretConfig): Promise<TokenKeys> {
  if (isOwn) await makeSecretOnce(file)
  return tokenKeys(await readSecretLines('VERIFY_SECRET_FILE', file))
}

/** `baseUrl`: without a trailing slash. */
export function createVerificationUrl(baseUrl: string, invoiceId: string, keys: TokenKeys): string {
  return `${baseUrl}/v/${createVerificationToken(invoiceId, keys)}`
}
