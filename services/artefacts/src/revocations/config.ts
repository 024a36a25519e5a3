import type { EnvReader } from '@einvoicing/runtime/env'

export interface RevocationConfig {
  /** PEM or DER; read each time. */
  files: readonly string[]
}

export function readRevocationConfig(env: EnvReader): RevocationConfig {
  const listed = env.optionalText('REVOCATION_FILES') ?? ''
  return {
    files: listed
      .split(',')
      .map((file) => file.trim())
      .filter((file) => file !== ''),
  }
}
