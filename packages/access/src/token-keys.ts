import { createSecretKey, type KeyObject } from 'node:crypto'
import jwt from 'jsonwebtoken'
import { makeSecretOnce, readSecretLines, type Secrets } from '@einvoicing/runtime/secret-file'

export type TokenKeys = readonly [KeyObject, ...KeyObject[]]

export interface TokenSecretConfig {
  file: string
  /** Made at the first start. */
  isOwn: boolean
}

/** Throws `SettingsError` for a secret that is missing or too short. */
export async function openTokenKeys(
  setting: string,
  { file, isOwn }: TokenSecretConfig,
): Promise<TokenKeys> {
  if (isOwn) await makeSecretOnce(file)
  return tokenKeys(await readSecretLines(setting, file))
}

/** Made once: from a string, each signature would try to parse a PEM first. */
export function tokenKeys([inUse, ...others]: Secrets): TokenKeys {
  const toKey = (secret: string) => createSecretKey(secret, 'utf8')
  return [toKey(inUse), ...others.map(toKey)]
}

/** Throws as `jwt.verify` does; tries the next key only after a wrong signature. */
export function verifyToken(
  token: string,
  [key, ...others]: TokenKeys,
  options: jwt.VerifyOptions & { complete?: false },
): jwt.JwtPayload | string {
  try {
    return jwt.verify(token, key, options)
  } catch (error) {
    const [next, ...rest] = others
    if (next && (error as Error).message === 'invalid signature') {
      return verifyToken(token, [next, ...rest], options)
    }
    throw error
  }
}
