/**
 * What tokens are signed and verified with: the secret in use, and those beside it while it is
 * renewed.
 */

import { createSecretKey, type KeyObject } from 'node:crypto'
import jwt from 'jsonwebtoken'
import type { Secrets } from '@einvoicing/runtime/secret-file'

/** The first signs, each verifies. */
export type TokenKeys = readonly [KeyObject, ...KeyObject[]]

/** Made once: given a text, each signature would try it as a PEM first. */
export function tokenKeys([inUse, ...others]: Secrets): TokenKeys {
  const keyOf = (secret: string) => createSecretKey(secret, 'utf8')
  return [keyOf(inUse), ...others.map(keyOf)]
}

/**
 * The claims of a token that one of `keys` signed. Throws as `jwt.verify` does, and asks another
 * key only where the signature is not of this one: what is too old is too old by every key.
 */
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
