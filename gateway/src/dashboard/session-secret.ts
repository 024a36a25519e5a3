import { makeSecretOnce, readSecretLines } from '@einvoicing/runtime/secret-file'
import { tokenKeys, type TokenKeys } from '@einvoicing/access/token-keys'
import type { SessionSecretConfig } from '../config'

/** Throws `SettingsError` for a secret that is missing or too short. */
export async function openSessionKeys({ kind, file }: SessionSecretConfig): Promise<TokenKeys> {
  if (kind === 'own') await makeSecretOnce(file)
  return tokenKeys(await readSecretLines('SESSION_SECRET_FILE', file))
}
