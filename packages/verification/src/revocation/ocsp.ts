import { createHash, type X509Certificate } from 'node:crypto'
import { isValidAt } from '../certificate-chain'
import { readCertificateFields, readExtensions } from '../certificate-fields'
import {
  contextTag,
  DerError,
  readBits,
  readChildren,
  readContent,
  readElement,
  readElements,
  readOid,
  readTime,
  tags,
  type DerElement,
} from '../der'
import { isSignedBy, readSignatureHash } from '../time-stamps/algorithms'
import { toCertificate } from '../time-stamps/token'
import { RevocationError, type Statement } from './statement'

const basicResponse = '1.3.6.1.5.5.7.48.1.1'
const ocspSigning = '1.3.6.1.5.5.7.3.9'
const enumerated = 0x0a
const archiveCutoff = '1.3.6.1.5.5.7.48.1.6'
const goodTag = 0x80

const certificateHashes: Readonly<Record<string, string>> = {
  '1.3.14.3.2.26': 'sha1', // of a name, which no one signs
  '2.16.840.1.101.3.4.2.1': 'sha256',
  '2.16.840.1.101.3.4.2.2': 'sha384',
  '2.16.840.1.101.3.4.2.3': 'sha512',
}

/** A whole OCSPResponse (RFC 6960). Throws `DerError` or `RevocationError`. */
export function verifyOcspResponse(bytes: Buffer, issuers: readonly X509Certificate[]): Statement {
  const [data, algorithm, signature, certificates] = readBasic(bytes)
  const hash = readSignatureHash(algorithm)
  const signed = { hash, content: data?.bytes ?? Buffer.alloc(0), signature: readBits(signature) }
  const sent = certificates
    ? readChildren(readElements(certificates.content)[0], tags.sequence)
    : []
  const { producedAt, single } = readData(data)
  const [identity, status, thisUpdate, ...others] = single
  // No one guards the key of a certificate that ended.
  const signedAt = producedAt > readTime(thisUpdate) ? producedAt : readTime(thisUpdate)
  const responders = sent.map(toCertificate).filter((one) => isValidAt(one, signedAt))
  const issuer = issuers.find((one) =>
    [one, ...responders.filter((each) => mayRespond(each, one))].some((each) =>
      isSignedBy(each, signed),
    ),
  )
  if (!issuer) {
    throw new RevocationError('the signature of an OCSP response does not match the issuer')
  }
  const nextUpdate = others.find(({ tag }) => tag === contextTag(0))
  const extensions = readExtensions(others.find(({ tag }) => tag === contextTag(1)))
  const cutoff = extensions.find(({ oid }) => oid === archiveCutoff)
  return {
    thisUpdate: readTime(thisUpdate),
    nextUpdate: nextUpdate && readTime(readElements(nextUpdate.content)[0]),
    endedSince: cutoff && readTime(readElement(cutoff.value)),
    about(certificate) {
      if (!isAbout(identity, certificate, issuer)) return undefined
      if (status?.tag === goodTag) return 'good'
      if (status?.tag !== contextTag(1)) return undefined
      return { revokedAt: readTime(readElements(status.content)[0]) }
    },
  }
}

function readBasic(bytes: Buffer): DerElement[] {
  const [status, body] = readChildren(readElement(bytes), tags.sequence)
  if (readContent(status, enumerated)[0] !== 0) {
    throw new RevocationError('an OCSP response reports a failure')
  }
  const [responseBytes] = readElements(readContent(body, contextTag(0)))
  const [type, content] = readChildren(responseBytes, tags.sequence)
  if (readOid(type) !== basicResponse) throw new DerError('not a basic OCSP response')
  return readChildren(readElement(readContent(content, tags.octetString)), tags.sequence)
}

/** The authority's own delegate (section 4.2.2.2). */
function mayRespond(responder: X509Certificate, issuer: X509Certificate): boolean {
  const purposes = responder.keyUsage as readonly string[] | undefined
  return (
    purposes?.includes(ocspSigning) === true &&
    responder.checkIssued(issuer) &&
    responder.verify(issuer.publicKey)
  )
}

function readData(data: DerElement | undefined) {
  const fields = readChildren(data, tags.sequence)
  const producedAt = readTime(fields.find(({ tag }) => tag === tags.generalizedTime))
  const responses = fields.find(({ tag }) => tag === tags.sequence)
  const [single, ...others] = readChildren(responses, tags.sequence)
  if (others.length > 0) throw new RevocationError('an OCSP response about several certificates')
  return { producedAt, single: readChildren(single, tags.sequence) }
}

function isAbout(
  identity: DerElement | undefined,
  certificate: X509Certificate,
  issuer: X509Certificate,
): boolean {
  const [algorithm, name, key, serialNumber] = readChildren(identity, tags.sequence)
  const hash = certificateHashes[readOid(readChildren(algorithm, tags.sequence)[0])]
  if (hash === undefined) return false
  const digest = (content: Buffer) => createHash(hash).update(content).digest()
  const fields = readCertificateFields(certificate)
  return (
    readContent(name, tags.octetString).equals(digest(fields.issuer)) &&
    readContent(key, tags.octetString).equals(digest(readCertificateFields(issuer).publicKey)) &&
    readContent(serialNumber, tags.integer).equals(fields.serialNumber)
  )
}
