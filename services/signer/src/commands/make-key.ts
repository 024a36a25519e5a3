/** Rejects an existing name: the signing key would be ambiguous. */

import { randomBytes } from 'node:crypto'
import type { KeyAlgorithm } from '../keys/signing-key'
import { cka, ckm, type Attribute, type Mechanism } from '../token/cryptoki'
import {
  findPrivateKeys,
  p256Parameters,
  type KeyInToken,
  type KeyName,
} from '../token/key-in-token'
import type { Token } from '../token/token'
import { TokenError } from '../token/token-error'

const defaultLabel = 'einvoicing'
const idBytes = 8
const publicExponent = Buffer.from([1, 0, 1])

export async function makeKey(
  token: Token,
  name: KeyName,
  algorithm: KeyAlgorithm,
): Promise<KeyInToken> {
  const { label = defaultLabel } = name
  const id = name.id ?? randomBytes(idBytes).toString('hex')
  rejectTaken(token, { label, id: undefined })
  rejectTaken(token, { label: undefined, id })
  const { mechanism, ofPublicKey } = kinds[algorithm]
  const ofBoth = [
    { type: cka.token, value: true },
    { type: cka.label, value: label },
    { type: cka.id, value: Buffer.from(id, 'hex') },
  ]
  await token.cryptoki.C_GenerateKeyPairAsync(
    token.session,
    mechanism,
    [...ofBoth, { type: cka.verify, value: true }, ...ofPublicKey],
    [
      ...ofBoth,
      { type: cka.private, value: true },
      { type: cka.sensitive, value: true },
      { type: cka.extractable, value: false },
      { type: cka.sign, value: true },
    ],
  )
  const [made] = findPrivateKeys(token, { label, id })
  if (made) return made
  throw new TokenError(
    'unavailable',
    `the token "${token.label}" created a key but does not list it`,
  )
}

function rejectTaken(token: Token, name: KeyName): void {
  const [taken] = findPrivateKeys(token, name)
  if (!taken) return
  throw new TokenError(
    'wrong',
    `the token "${token.label}" already has the key "${taken.label}" with CKA_ID ${taken.id.toString('hex')}: choose another PKCS11_KEY_LABEL and PKCS11_KEY_ID`,
  )
}

const kinds: Record<KeyAlgorithm, { mechanism: Mechanism; ofPublicKey: Attribute[] }> = {
  ecp256: {
    mechanism: { mechanism: ckm.ecKeyPairGen },
    ofPublicKey: [{ type: cka.ecParams, value: p256Parameters }],
  },
  rsa2048: rsa(2048),
  rsa3072: rsa(3072),
}

function rsa(bits: number): { mechanism: Mechanism; ofPublicKey: Attribute[] } {
  return {
    mechanism: { mechanism: ckm.rsaKeyPairGen },
    ofPublicKey: [
      { type: cka.modulusBits, value: bits },
      { type: cka.publicExponent, value: publicExponent },
    ],
  }
}
