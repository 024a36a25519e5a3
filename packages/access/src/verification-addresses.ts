import path from 'node:path'
import type { EnvReader } from '@einvoicing/runtime/env'
import type { TokenKeys, TokenSecretConfig } from './token-keys'
import { createVerificationToken } from './verification-token'

/** `undefined`: documents have no verification page. */
export function readVerifySecretConfig(
  env: EnvReader,
  dataDir: string | undefined,
): TokenSecretConfig | undefined {
  const file = env.secretFile('VERIFY_SECRET_FILE')
  if (file !== undefined) return { file, isOwn: false }
  if (dataDir === undefined) return undefined
  return { file: path.join(dataDir, 'gateway', 'verify.secret'), isOwn: true }
}

/** `baseUrl`: without a trailing slash. */
export function createVerificationUrl(baseUrl: string, invoiceId: string, keys: TokenKeys): string {
  return `${baseUrl}/v/${createVerificationToken(invoiceId, keys)}`
}
