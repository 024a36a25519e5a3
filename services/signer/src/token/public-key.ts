import { createPublicKey, type KeyObject } from 'node:crypto'
import { cka, cko } from './cryptoki'
import type { KeyInToken } from './key-in-token'
import { TokenError } from './token-error'
import { findObjects, readAttribute, type Token } from './token'

const coordinateBytes = 32

/** The EC point is only in the public object, which shares its CKA_ID with the key. */
export function readPublicKey(token: Token, { id, algorithm }: KeyInToken): KeyObject {
  const template = [
    { type: cka.class, value: cko.publicKey },
    { type: cka.id, value: id },
  ]
  const [object] = findObjects(token, template)
  if (!object) {
    throw new TokenError(
      'wrong',
      `the token "${token.label}" has no public key with CKA_ID ${id.toString('hex')}: import it beside its private key`,
    )
  }
  const read = (type: number) => readAttribute(token, object, type)
  const jwk =
    algorithm === 'ecp256'
      ? { kty: 'EC', crv: 'P-256', ...coordinates(read(cka.ecPoint)) }
      : { kty: 'RSA', n: base64url(read(cka.modulus)), e: base64url(read(cka.publicExponent)) }
  return createPublicKey({ key: jwk, format: 'jwk' })
}

// The uncompressed point ends the attribute, whether wrapped in an OCTET STRING or bare.
function coordinates(point: Buffer): { x: string; y: string } {
  return {
    x: base64url(point.subarray(-2 * coordinateBytes, -coordinateBytes)),
    y: base64url(point.subarray(-coordinateBytes)),
  }
}

function base64url(bytes: Buffer): string {
  return bytes.toString('base64url')
}
