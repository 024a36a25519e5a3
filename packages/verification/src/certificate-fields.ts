/** What Node.js does not read of a certificate. Throws `DerError`. */

import type { X509Certificate } from 'node:crypto'
import {
  contextTag,
  DerError,
  readBits,
  readChildren,
  readContent,
  readElement,
  readElements,
  readOid,
  tags,
  writeElement,
  writeSequence,
  type DerElement,
} from './der'

export interface CertificateFields {
  serialNumber: Buffer
  issuer: Buffer
  subject: Buffer
  /** The bits of the public key. */
  publicKey: Buffer
  signature: { algorithm: DerElement | undefined; value: Buffer }
}

export function readCertificateFields({ raw }: X509Certificate): CertificateFields {
  const [toBeSigned, algorithm, signature] = readChildren(readElement(raw), tags.sequence)
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
    signature: { algorithm, value: readBits(signature) },
  }
}

/** IssuerAndSerialNumber (RFC 5652, section 10.2.4). */
export function writeIssuerAndSerialNumber(certificate: X509Certificate): Buffer {
  const { issuer, serialNumber } = readCertificateFields(certificate)
  return writeSequence(issuer, writeElement(tags.integer, serialNumber))
}

export interface Extension {
  oid: string
  isCritical: boolean
  value: Buffer
}

export function readExtension({ raw }: X509Certificate, oid: string): Extension | undefined {
  const [toBeSigned] = readChildren(readElement(raw), tags.sequence)
  const list = readChildren(toBeSigned, tags.sequence).find(({ tag }) => tag === contextTag(3))
  return readExtensions(list).find((one) => one.oid === oid)
}

/** Extensions in their explicit tag; none without it (RFC 5280, section 4.1). */
export function readExtensions(tagged: DerElement | undefined): Extension[] {
  const [list] = tagged ? readElements(tagged.content) : []
  return (list ? readChildren(list, tags.sequence) : []).map((extension) => {
    const parts = readChildren(extension, tags.sequence)
    const [oid, critical] = parts
    return {
      oid: readOid(oid),
      isCritical: critical?.tag === tags.boolean && critical.content[0] === 0xff,
      value: readContent(parts.at(-1), tags.octetString),
    }
  })
}
