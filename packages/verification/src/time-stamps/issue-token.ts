/** For the sandbox's time-stamp authority and for tests. */

import { createHash, sign, type KeyObject, type X509Certificate } from 'node:crypto'
import { writeIssuerAndSerialNumber } from '../certificate-fields'
import {
  contextTag,
  tags,
  writeElement,
  writeInteger,
  writeOctets,
  writeOid,
  writeSequence,
  writeSet,
  writeTime,
} from '../der'
import { writeHashAlgorithm } from './algorithms'
import { writeImprint, type TimeStampRequest } from './request'
import { oids } from './token'

export interface TimeStampAuthority {
  privateKey: KeyObject
  /** First its own, then the links to the root. */
  certificates: readonly [X509Certificate, ...X509Certificate[]]
  policy: string
}

export interface Issue {
  time: Date
  serialNumber: bigint
}

const hash = 'sha256'
const signatureAlgorithms: Readonly<Record<string, Buffer>> = {
  ec: writeSequence(writeOid('1.2.840.10045.4.3.2')),
  rsa: writeSequence(writeOid('1.2.840.113549.1.1.11'), writeElement(tags.null)),
}

/** A TimeStampToken. */
export function issueToken(
  request: TimeStampRequest,
  authority: TimeStampAuthority,
  issue: Issue,
): Buffer {
  const info = writeSequence(
    writeInteger(1n),
    writeOid(request.policy ?? authority.policy),
    writeImprint(request.hash, request.digest),
    writeInteger(issue.serialNumber),
    writeTime(issue.time),
    writeInteger(request.nonce),
  )
  const signedData = writeSequence(
    writeInteger(3n),
    writeSet(writeHashAlgorithm(hash)),
    writeSequence(writeOid(oids.tstInfo), writeElement(contextTag(0), writeOctets(info))),
    writeElement(contextTag(0), ...authority.certificates.map(({ raw }) => raw)),
    writeSet(writeSigner(info, authority)),
  )
  return writeSequence(writeOid(oids.signedData), writeElement(contextTag(0), signedData))
}

/** A TimeStampResp: granted. */
export function writeResponse(token: Buffer): Buffer {
  return writeSequence(writeSequence(writeInteger(0n)), token)
}

/** A TimeStampResp: rejection, with a text. */
export function writeRejection(text: string): Buffer {
  const texts = writeSequence(writeElement(tags.utf8String, Buffer.from(text)))
  return writeSequence(writeSequence(writeInteger(2n), texts))
}

function writeSigner(info: Buffer, { privateKey, certificates }: TimeStampAuthority): Buffer {
  const [certificate] = certificates
  const algorithm = signatureAlgorithms[privateKey.asymmetricKeyType ?? '']
  if (algorithm === undefined) throw new Error('a key that cannot sign time stamps')
  const named = writeSequence(writeSequence(writeSequence(writeOctets(digest(certificate.raw)))))
  const attributes = writeSet(
    writeAttribute(oids.contentType, writeOid(oids.tstInfo)),
    writeAttribute(oids.messageDigest, writeOctets(digest(info))),
    writeAttribute(oids.signingCertificateV2, named),
  )
  const implicit = Buffer.from(attributes)
  implicit[0] = contextTag(0)
  return writeSequence(
    writeInteger(1n),
    writeIssuerAndSerialNumber(certificate),
    writeHashAlgorithm(hash),
    implicit,
    algorithm,
    writeOctets(sign(hash, attributes, privateKey)),
  )
}

function writeAttribute(type: string, value: Buffer): Buffer {
  return writeSequence(writeOid(type), writeSet(value))
}

function digest(content: Uint8Array): Buffer {
  return createHash(hash).update(content).digest()
}
