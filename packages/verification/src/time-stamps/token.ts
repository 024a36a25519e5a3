/** CMS SignedData around a TSTInfo (RFC 3161, section 2.4.2; RFC 5652). */

import type { X509Certificate } from 'node:crypto'
import { parseCertificate } from '../parse-certificate'
import {
  contextTag,
  DerError,
  readChildren,
  readContent,
  readElement,
  readElements,
  readInteger,
  readOid,
  readTime,
  tags,
  type DerElement,
} from '../der'
import { readHashAlgorithm, type HashName } from './algorithms'
import { readImprint } from './request'

export const oids = {
  signedData: '1.2.840.113549.1.7.2',
  tstInfo: '1.2.840.113549.1.9.16.1.4',
  contentType: '1.2.840.113549.1.9.3',
  messageDigest: '1.2.840.113549.1.9.4',
  signingCertificateV2: '1.2.840.113549.1.9.16.2.47',
  timeStamping: '1.3.6.1.5.5.7.3.8',
  extendedKeyUsage: '2.5.29.37',
  subjectKeyIdentifier: '2.5.29.14',
} as const

export interface TimeStampInfo {
  policy: string
  hash: HashName
  digest: Buffer
  serialNumber: bigint
  time: Date
  nonce: bigint | undefined
}

export interface TimeStampToken {
  info: TimeStampInfo
  /** The octets of the TSTInfo, which messageDigest covers. */
  infoBytes: Buffer
  certificates: readonly X509Certificate[]
  signer: SignerInfo
}

export interface SignerInfo {
  /** 1: `identifier` is an issuer with a serial number; 3: the id of a key. */
  version: bigint
  identifier: DerElement | undefined
  hash: HashName
  /** By object identifier; each has one value. */
  attributes: ReadonlyMap<string, DerElement>
  /** As signed: DER SET OF, not the `[0]` of the token (RFC 5652, section 5.4). */
  attributeBytes: Buffer
  algorithm: DerElement | undefined
  signature: Buffer
}

const versionOfInfo = 1n
const versionOfData = 3n

/** The token is a ContentInfo, never the TimeStampResp around it. Throws `DerError`. */
export function parseToken(bytes: Buffer): TimeStampToken {
  const [type, content] = readChildren(readElement(bytes), tags.sequence)
  if (readOid(type) !== oids.signedData) throw new DerError('not CMS signed data')
  const [signedData] = readChildren(content, contextTag(0))
  const parts = readChildren(signedData, tags.sequence)
  const [version, digestAlgorithms, encapsulated] = parts
  const infoBytes = readEncapsulated(encapsulated)
  const certificates = parts.find(({ tag }) => tag === contextTag(0))
  const signers = readChildren(parts.at(-1), tags.set)
  if (signers.length !== 1) throw new DerError('not exactly one signer')
  const signer = parseSigner(signers[0])
  const named = readChildren(digestAlgorithms, tags.set).map(readHashAlgorithm)
  // The signature covers neither.
  if (readInteger(version) !== versionOfData || named.join() !== signer.hash) {
    throw new DerError('the signed data has another version or hash algorithm than its signer')
  }
  return {
    info: parseInfo(infoBytes),
    infoBytes,
    certificates: certificates ? readElements(certificates.content).map(toCertificate) : [],
    signer,
  }
}

function readEncapsulated(element: DerElement | undefined): Buffer {
  const [type, content] = readChildren(element, tags.sequence)
  if (readOid(type) !== oids.tstInfo) throw new DerError('the content is not a TSTInfo')
  const [octets] = readChildren(content, contextTag(0))
  return readContent(octets, tags.octetString)
}

function parseInfo(bytes: Buffer): TimeStampInfo {
  const [version, policy, imprint, serialNumber, time, ...others] = readChildren(
    readElement(bytes),
    tags.sequence,
  )
  if (readInteger(version) !== versionOfInfo) throw new DerError('an unknown version')
  const nonce = others.find(({ tag }) => tag === tags.integer)
  return {
    ...readImprint(imprint?.bytes),
    policy: readOid(policy),
    serialNumber: readInteger(serialNumber),
    time: readTime(time),
    nonce: nonce && readInteger(nonce),
  }
}

function parseSigner(element: DerElement | undefined): SignerInfo {
  const [version, identifier, digestAlgorithm, attributes, algorithm, signature] = readChildren(
    element,
    tags.sequence,
  )
  const content = readContent(attributes, contextTag(0))
  const attributeBytes = Buffer.from(attributes?.bytes ?? [])
  attributeBytes[0] = tags.set
  return {
    version: readInteger(version),
    identifier,
    hash: readHashAlgorithm(digestAlgorithm),
    attributes: parseAttributes(content),
    attributeBytes,
    algorithm,
    signature: readContent(signature, tags.octetString),
  }
}

function parseAttributes(content: Buffer): ReadonlyMap<string, DerElement> {
  const attributes = new Map<string, DerElement>()
  for (const element of readElements(content)) {
    const [type, values] = readChildren(element, tags.sequence)
    const [value, ...others] = readChildren(values, tags.set)
    const name = readOid(type)
    if (value === undefined || others.length > 0 || attributes.has(name)) {
      throw new DerError('a signed attribute without exactly one value')
    }
    attributes.set(name, value)
  }
  return attributes
}

/** Throws `DerError`. */
export function toCertificate({ bytes }: DerElement): X509Certificate {
  try {
    return parseCertificate(bytes)
  } catch (cause) {
    throw new DerError('a certificate that cannot be read', { cause })
  }
}
