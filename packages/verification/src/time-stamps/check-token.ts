import { createHash, type X509Certificate } from 'node:crypto'
import { readExtension, writeIssuerAndSerialNumber } from '../certificate-fields'
import {
  DerError,
  readChildren,
  readContent,
  readElement,
  readOid,
  tags,
  writeOctets,
} from '../der'
import {
  assertSignatureAlgorithm,
  isSignedBy,
  readHashAlgorithm,
  type HashName,
} from './algorithms'
import { oids, parseToken, type TimeStampInfo, type TimeStampToken } from './token'

export class TimeStampError extends Error {
  override readonly name = 'TimeStampError'
}

export interface Stamped {
  hash: HashName
  digest: Buffer
  /** Of the request; absent when a stored token is checked. */
  nonce?: bigint
  policy?: string | undefined
  /** An older stamp is rejected, with a minute's tolerance. */
  notBefore?: Date
  now: Date
  /** Of the first certificate, at that time. */
  isTrusted(certificates: readonly [X509Certificate, ...X509Certificate[]], at: Date): boolean
}

export interface CheckedTimeStamp {
  info: TimeStampInfo
  certificate: X509Certificate
  links: X509Certificate[]
}

const clockToleranceMs = 60_000

/** RFC 3161, section 2.2; RFC 5816. Throws `TimeStampError`. */
export function checkToken(bytes: Buffer, stamped: Stamped): CheckedTimeStamp {
  try {
    return check(parseToken(bytes), stamped)
  } catch (error) {
    if (!(error instanceof DerError)) throw error
    throw new TimeStampError(`the time stamp cannot be read: ${error.message}`, { cause: error })
  }
}

function check(token: TimeStampToken, stamped: Stamped): CheckedTimeStamp {
  const { info } = token
  if (info.hash !== stamped.hash || !info.digest.equals(stamped.digest)) {
    throw new TimeStampError('the time stamp is for another digest')
  }
  if (stamped.nonce !== undefined && info.nonce !== stamped.nonce) {
    throw new TimeStampError('the time stamp answers another request: its nonce differs')
  }
  if (stamped.policy !== undefined && info.policy !== stamped.policy) {
    throw new TimeStampError(`the time stamp has the unexpected policy ${info.policy}`)
  }
  checkTime(info.time, stamped)
  const certificate = findSigner(token)
  checkIdentifier(token, certificate)
  checkSignature(token, certificate)
  checkUsage(certificate)
  const links = token.certificates.filter((one) => one !== certificate)
  if (!stamped.isTrusted([certificate, ...links], info.time)) {
    throw new TimeStampError('no trusted authority issued the certificate of the time stamp')
  }
  return { info, certificate, links }
}

function checkTime(time: Date, { now, notBefore }: Stamped): void {
  if (time.getTime() > now.getTime() + clockToleranceMs) {
    throw new TimeStampError(`the time stamp is from the future: ${time.toISOString()}`)
  }
  if (notBefore && time.getTime() < notBefore.getTime() - clockToleranceMs) {
    throw new TimeStampError(`the time stamp is too old: ${time.toISOString()}`)
  }
}

/** The one that SigningCertificateV2 names by its digest (RFC 5035, section 4). */
export function findSigner({ signer, certificates }: TimeStampToken): X509Certificate {
  const attribute = signer.attributes.get(oids.signingCertificateV2)
  const [list] = readChildren(attribute, tags.sequence)
  const [first] = readChildren(list, tags.sequence)
  const fields = readChildren(first, tags.sequence)
  // The hash algorithm is left out when it is SHA-256.
  const [hash, digest] =
    fields[0]?.tag === tags.sequence
      ? [readHashAlgorithm(fields[0]), fields[1]]
      : (['sha256', fields[0]] as const)
  const named = readContent(digest, tags.octetString)
  const found = certificates.find(({ raw }) => createHash(hash).update(raw).digest().equals(named))
  if (found === undefined) {
    throw new TimeStampError('the time stamp does not contain the certificate that it names')
  }
  return found
}

const keyIdentifierTag = 0x80

/** Not covered by the signature (RFC 5652, section 5.3). */
function checkIdentifier({ signer }: TimeStampToken, certificate: X509Certificate): void {
  const { version, identifier } = signer
  const isIssuer =
    version === 1n &&
    identifier?.tag === tags.sequence &&
    identifier.bytes.equals(writeIssuerAndSerialNumber(certificate))
  const isKey =
    version === 3n &&
    identifier?.tag === keyIdentifierTag &&
    readExtension(certificate, oids.subjectKeyIdentifier)?.value.equals(
      writeOctets(identifier.content),
    )
  if (isIssuer || isKey) return
  throw new TimeStampError('the time stamp names a certificate other than the one that signed it')
}

function checkSignature({ signer, infoBytes }: TimeStampToken, certificate: X509Certificate): void {
  const { hash, attributes, attributeBytes, algorithm, signature } = signer
  const digest = readContent(attributes.get(oids.messageDigest), tags.octetString)
  const isOfInfo = createHash(hash).update(infoBytes).digest().equals(digest)
  if (!isOfInfo || readOid(attributes.get(oids.contentType)) !== oids.tstInfo) {
    throw new TimeStampError('the signature of the time stamp covers another content')
  }
  assertSignatureAlgorithm(algorithm, hash)
  if (!isSignedBy(certificate, { hash, content: attributeBytes, signature })) {
    throw new TimeStampError('the signature of the time stamp does not match its certificate')
  }
}

/** RFC 3161, section 2.3: extended key usage critical, and time stamping alone. */
function checkUsage(certificate: X509Certificate): void {
  const usage = readExtension(certificate, oids.extendedKeyUsage)
  if (usage?.isCritical) {
    const purposes = readChildren(readElement(usage.value), tags.sequence)
    if (purposes.length === 1 && readOid(purposes[0]) === oids.timeStamping) return
  }
  throw new TimeStampError('the certificate of the time stamp is not restricted to time stamps')
}
