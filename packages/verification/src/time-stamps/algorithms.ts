import { verify, type X509Certificate } from 'node:crypto'
import {
  readChildren,
  DerError,
  readOid,
  tags,
  writeElement,
  writeOid,
  writeSequence,
  type DerElement,
} from '../der'

/** Without SHA-1. */
export const hashes = {
  sha256: { oid: '2.16.840.1.101.3.4.2.1', bytes: 32 },
  sha384: { oid: '2.16.840.1.101.3.4.2.2', bytes: 48 },
  sha512: { oid: '2.16.840.1.101.3.4.2.3', bytes: 64 },
} as const

export type HashName = keyof typeof hashes

const names = Object.keys(hashes) as HashName[]
const nullParameters = writeElement(tags.null)

export function writeHashAlgorithm(hash: HashName): Buffer {
  return writeSequence(writeOid(hashes[hash].oid), writeElement(tags.null))
}

export function readHashAlgorithm(element: DerElement | undefined): HashName {
  const [oid, parameters, ...others] = readChildren(element, tags.sequence)
  const text = readOid(oid)
  const isPlain = !parameters || parameters.bytes.equals(nullParameters)
  if (!isPlain || others.length > 0) throw new DerError('a hash algorithm with parameters')
  const name = names.find((known) => hashes[known].oid === text)
  if (name === undefined) throw new DerError(`a hash algorithm not accepted: ${text}`)
  return name
}

export interface SignatureAlgorithm {
  key: 'ec' | 'rsa'
  /** Absent: that of the digest algorithm. */
  hash?: HashName
}

const signatures: Readonly<Record<string, SignatureAlgorithm>> = {
  '1.2.840.113549.1.1.1': { key: 'rsa' },
  '1.2.840.113549.1.1.11': { key: 'rsa', hash: 'sha256' },
  '1.2.840.113549.1.1.12': { key: 'rsa', hash: 'sha384' },
  '1.2.840.113549.1.1.13': { key: 'rsa', hash: 'sha512' },
  '1.2.840.10045.2.1': { key: 'ec' },
  '1.2.840.10045.4.3.2': { key: 'ec', hash: 'sha256' },
  '1.2.840.10045.4.3.3': { key: 'ec', hash: 'sha384' },
  '1.2.840.10045.4.3.4': { key: 'ec', hash: 'sha512' },
}

export function readSignatureAlgorithm(element: DerElement | undefined): SignatureAlgorithm {
  const text = readOid(readChildren(element, tags.sequence)[0])
  const known = signatures[text]
  if (known === undefined) throw new DerError(`a signature algorithm not accepted: ${text}`)
  return known
}

/** Throws for an algorithm that is not accepted or contradicts the digest algorithm. */
export function assertSignatureAlgorithm(element: DerElement | undefined, hash: HashName): void {
  if ((readSignatureAlgorithm(element).hash ?? hash) !== hash)
    throw new DerError('two hash algorithms in one signature')
}

/** Where no digest algorithm is named. Throws for an algorithm that is not accepted. */
export function readSignatureHash(element: DerElement | undefined): HashName {
  const { hash } = readSignatureAlgorithm(element)
  if (hash === undefined) throw new DerError('a signature algorithm without its hash algorithm')
  return hash
}

export interface Signed {
  hash: HashName
  content: Buffer
  signature: Buffer
}

/** With the key of the certificate. Only of the types above: with others, `verify` may throw. */
export function isSignedBy({ publicKey }: X509Certificate, signed: Signed): boolean {
  const { hash, content, signature } = signed
  return (
    ['ec', 'rsa'].includes(publicKey.asymmetricKeyType ?? '') &&
    verify(hash, content, publicKey, signature)
  )
}
