import type { KeyAlgorithm } from '../keys/signing-key'
import { cka, ckk, ckm, cko, type Attribute, type Handle } from './cryptoki'
import { TokenError } from './token-error'
import { findObjects, readAttribute, type Token } from './token'

export interface KeyName {
  label: string | undefined
  /** CKA_ID in hexadecimal. */
  id: string | undefined
}

export interface KeyInToken {
  handle: Handle
  label: string
  id: Buffer
  /** `undefined` for an unsupported kind. */
  algorithm: KeyAlgorithm | undefined
}

/** ANSI X9.62 prime256v1 as an object identifier in DER. */
export const p256Parameters = Buffer.from('06082a8648ce3d030107', 'hex')

// RFC 8017, section 9.2: what PKCS#1 v1.5 puts before a SHA-256 digest.
const sha256DigestInfo = Buffer.from('3031300d060960864801650304020105000420', 'hex')
const signatureBytesMax = 512
const listedMax = 10

/** Throws unless there is exactly one, of a supported kind. */
export function findSigningKey(
  token: Token,
  name: KeyName,
): KeyInToken & { algorithm: KeyAlgorithm } {
  const found = findPrivateKeys(token, name)
  const [key] = found
  if (key === undefined) {
    throw new TokenError(
      'wrong',
      `the token "${token.label}" has no private key with ${describeKeyName(name)} (found: ${describeKeys(findPrivateKeys(token))})`,
    )
  }
  if (found.length > 1) {
    throw new TokenError(
      'wrong',
      `the token "${token.label}" has ${found.length} private keys with ${describeKeyName(name)}: set PKCS11_KEY_LABEL and PKCS11_KEY_ID so that they match only one (found: ${describeKeys(found)})`,
    )
  }
  const { algorithm } = key
  if (algorithm !== undefined) return { ...key, algorithm }
  throw new TokenError(
    'wrong',
    `the key with ${describeKeyName(name)} is neither EC P-256 nor RSA of 2048 or 3072 bits: make another with npm run admin -- key make`,
  )
}

/** Every private key when no name is given. */
export function findPrivateKeys(token: Token, name?: KeyName): KeyInToken[] {
  const template: Attribute[] = [{ type: cka.class, value: cko.privateKey }]
  if (name?.label !== undefined) template.push({ type: cka.label, value: name.label })
  if (name?.id !== undefined) template.push({ type: cka.id, value: Buffer.from(name.id, 'hex') })
  return findObjects(token, template).map((handle) => ({
    handle,
    label: readAttribute(token, handle, cka.label).toString('utf8'),
    id: readAttribute(token, handle, cka.id),
    algorithm: findAlgorithm(token, handle),
  }))
}

/** As XML Signature requires: ECDSA as r‖s, RSA as PKCS#1 v1.5. */
export async function signDigest(
  { cryptoki }: Token,
  { handle, algorithm }: Pick<KeyInToken, 'handle' | 'algorithm'>,
  { session, digest }: { session: Handle; digest: Buffer },
): Promise<Buffer> {
  const isEc = algorithm === 'ecp256'
  cryptoki.C_SignInit(session, { mechanism: isEc ? ckm.ecdsa : ckm.rsaPkcs }, handle)
  const data = isEc ? digest : Buffer.concat([sha256DigestInfo, digest])
  return cryptoki.C_SignAsync(session, data, Buffer.alloc(signatureBytesMax))
}

function findAlgorithm(token: Token, key: Handle): KeyAlgorithm | undefined {
  const type = readAttribute(token, key, cka.keyType)
  if (type.length === 0) return undefined
  if (type[0] === ckk.ec) {
    return readAttribute(token, key, cka.ecParams).equals(p256Parameters) ? 'ecp256' : undefined
  }
  if (type[0] !== ckk.rsa) return undefined
  // Some modules write the modulus as a signed number, with a zero byte before it.
  const modulus = readAttribute(token, key, cka.modulus)
  const bytes = modulus.length - (modulus[0] === 0 ? 1 : 0)
  if (bytes === 256) return 'rsa2048'
  return bytes === 384 ? 'rsa3072' : undefined
}

function describeKeyName({ label, id }: KeyName): string {
  return [
    label !== undefined && `PKCS11_KEY_LABEL "${label}"`,
    id !== undefined && `PKCS11_KEY_ID ${id}`,
  ]
    .filter(Boolean)
    .join(' and ')
}

function describeKeys(keys: readonly KeyInToken[]): string {
  if (keys.length === 0) return 'none'
  const some = keys.slice(0, listedMax).map(({ label, id }) => `"${label}" ${id.toString('hex')}`)
  return keys.length > listedMax ? `${some.join(', ')}, …` : some.join(', ')
}
