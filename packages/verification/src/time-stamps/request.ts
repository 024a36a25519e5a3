/** RFC 3161, section 2.4.1. */

import {
  readChildren,
  readContent,
  DerError,
  readElement,
  readInteger,
  readOid,
  tags,
  writeElement,
  writeInteger,
  writeOctets,
  writeOid,
  writeSequence,
} from '../der'
import { writeHashAlgorithm, hashes, readHashAlgorithm, type HashName } from './algorithms'

export interface TimeStampRequest {
  hash: HashName
  digest: Buffer
  /** Object identifier; absent: the authority's default. */
  policy?: string | undefined
  nonce: bigint
}

export function encodeRequest({ hash, digest, policy, nonce }: TimeStampRequest): Buffer {
  return writeSequence(
    writeInteger(1n),
    writeImprint(hash, digest),
    ...(policy === undefined ? [] : [writeOid(policy)]),
    writeInteger(nonce),
    // certReq: the certificate is in the answer, so that the token can be verified by itself.
    writeElement(tags.boolean, Buffer.from([0xff])),
  )
}

export function decodeRequest(bytes: Buffer): TimeStampRequest {
  const [version, imprint, ...others] = readChildren(readElement(bytes), tags.sequence)
  if (readInteger(version) !== 1n) throw new DerError('an unknown version')
  const policy = others.find(({ tag }) => tag === tags.oid)
  const nonce = others.find(({ tag }) => tag === tags.integer)
  return {
    ...readImprint(imprint?.bytes),
    policy: policy && readOid(policy),
    nonce: nonce ? readInteger(nonce) : 0n,
  }
}

export function writeImprint(hash: HashName, digest: Uint8Array): Buffer {
  return writeSequence(writeHashAlgorithm(hash), writeOctets(digest))
}

export function readImprint(bytes: Buffer | undefined): { hash: HashName; digest: Buffer } {
  if (bytes === undefined) throw new DerError('no imprint')
  const [algorithm, digest] = readChildren(readElement(bytes), tags.sequence)
  const hash = readHashAlgorithm(algorithm)
  const octets = readContent(digest, tags.octetString)
  if (octets.length !== hashes[hash].bytes) throw new DerError('a digest of another length')
  return { hash, digest: octets }
}
