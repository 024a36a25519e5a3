import type { X509Certificate } from 'node:crypto'
import {
  contextTag,
  DerError,
  readChildren,
  readContent,
  readElement,
  readElements,
  readOid,
  readTime,
  tags,
  type DerElement,
} from '../time-stamps/der'
import { assertSignatureAlgorithm, hashes, type HashName } from '../time-stamps/algorithms'

/** Of a revocation list or an OCSP response with a verified signature. */
export interface Statement {
  thisUpdate: Date
  /** The latest time of newer data, if stated. */
  nextUpdate: Date | undefined
  /** `undefined`: nothing about this certificate. */
  about(certificate: X509Certificate): 'good' | { revokedAt: Date } | undefined
}

export class RevocationError extends Error {
  override readonly name = 'RevocationError'
}

const hashNames = Object.keys(hashes) as HashName[]

/** Throws `DerError` when the algorithm is not accepted. */
export function readSignatureHash(algorithm: DerElement | undefined): HashName {
  const found = hashNames.find((hash) => {
    try {
      assertSignatureAlgorithm(algorithm, hash)
      return true
    } catch {
      return false
    }
  })
  if (found === undefined) throw new DerError('a signature algorithm not accepted')
  return found
}

export function readBits(element: DerElement | undefined): Buffer {
  const content = readContent(element, tags.bitString)
  if (content[0] !== 0) throw new DerError('a signature with unused bits')
  return content.subarray(1)
}

const utcTime = 0x17

/** UTCTime until 2049, GeneralizedTime from then on (RFC 5280, section 5.1.2.4). */
export function readEitherTime(element: DerElement | undefined): Date {
  if (element?.tag !== utcTime) return readTime(element)
  const text = element.content.toString('latin1')
  const century = Number(text.slice(0, 2)) < 50 ? '20' : '19'
  const content = Buffer.from(`${century}${text}`, 'latin1')
  return readTime({ tag: tags.generalizedTime, content, bytes: content })
}

export interface CertificateFields {
  serialNumber: Buffer
  issuer: Buffer
  subject: Buffer
  /** The bits of the public key. */
  publicKey: Buffer
}

export function readCertificateFields({ raw }: X509Certificate): CertificateFields {
  const [toBeSigned] = readChildren(readElement(raw), tags.sequence)
  const fields = readChildren(toBeSigned, tags.sequence)
  const [serialNumber, , issuer, , subject, key] =
    fields[0]?.tag === contextTag(0) ? fields.slice(1) : fields
  if (!issuer || !subject) throw new DerError('a certificate without issuer or subject')
  const [, bits] = readChildren(key, tags.sequence)
  return {
    serialNumber: readContent(serialNumber, tags.integer),
    issuer: issuer.bytes,
    subject: subject.bytes,
    publicKey: readBits(bits),
  }
}

export function isEitherTime({ tag }: DerElement): boolean {
  return tag === utcTime || tag === tags.generalizedTime
}

/** RFC 9608: no revocation data exists about such a certificate. */
export function isNeverRevoked(certificate: X509Certificate): boolean {
  return readExtension(certificate, '2.5.29.56') !== undefined
}

/** In DER. */
export function readExtension({ raw }: X509Certificate, oid: string): Buffer | undefined {
  const [toBeSigned] = readChildren(readElement(raw), tags.sequence)
  const list = readChildren(toBeSigned, tags.sequence).find(({ tag }) => tag === contextTag(3))
  const [extensions] = list ? readElements(list.content) : []
  for (const extension of extensions ? readChildren(extensions, tags.sequence) : []) {
    const parts = readChildren(extension, tags.sequence)
    if (readOid(parts[0]) === oid) return readContent(parts.at(-1), tags.octetString)
  }
  return undefined
}
