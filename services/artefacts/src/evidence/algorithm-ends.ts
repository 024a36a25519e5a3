import type { X509Certificate } from 'node:crypto'
import type { HashName } from '@einvoicing/verification/time-stamps/algorithms'
import { parseToken } from '@einvoicing/verification/time-stamps/token'

/**
 * Until when validators are expected to accept an algorithm; others have no known end. RSA by PKCS
 * #1 v1.5: ETSI TS 119 312 v1.4.3, table 6, and the default policy of EU DSS. Reviewed 2026-11.
 */
export const algorithmEnds: Readonly<Record<string, string>> = {
  rsa2048: '2029-01-01',
  rsa3072: '2029-01-01',
  rsa4096: '2029-01-01',
}

export const algorithmNames = [
  ...(['sha256', 'sha384', 'sha512'] as const satisfies readonly HashName[]),
  ...(['ecp256', 'ecp384', 'ecp521', 'rsa2048', 'rsa3072', 'rsa4096'] as const),
] as const

const curves: Readonly<Record<string, string>> = {
  prime256v1: 'ecp256',
  secp384r1: 'ecp384',
  secp521r1: 'ecp521',
}

/** Of the imprint, and of the token's signature. */
export function listHashes(token: Buffer): string[] {
  const { info, signer } = parseToken(token)
  return [info.hash, signer.hash]
}

export function nameKey({ publicKey }: X509Certificate): string {
  const { namedCurve, modulusLength = 0 } = publicKey.asymmetricKeyDetails ?? {}
  if (namedCurve !== undefined) return curves[namedCurve] ?? namedCurve
  // As strong as the next smaller named size.
  const bits = [4096, 3072, 2048].find((size) => modulusLength >= size) ?? modulusLength
  return `rsa${bits}`
}
