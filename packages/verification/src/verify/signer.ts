import type { X509Certificate } from 'node:crypto'
import type { Element } from '@xmldom/xmldom'
import { isTrusted, isValidAt } from '../certificate-chain'
import { readExtension } from '../certificate-fields'
import { DerError, readContent, readElement, tags } from '../der'
import { parseCertificate, toOneLine } from '../parse-certificate'
import { createCheck, type Check } from './signature'
import { findChildren, ds, readText } from './xml'

const certificateCountMax = 10

export interface Signer {
  subject: string
  issuer: string
  serialNumber: string
  validFrom: string
  validTo: string
  /** SHA-256, hexadecimal with colons. */
  fingerprint: string
}

export function readCertificates(signature: Element): X509Certificate[] {
  return findChildren(signature, ds('KeyInfo'))
    .flatMap((keyInfo) => findChildren(keyInfo, ds('X509Data')))
    .flatMap((data) => findChildren(data, ds('X509Certificate')))
    .slice(0, certificateCountMax)
    .flatMap((element) => {
      try {
        const bytes = Buffer.from(readText(element), 'base64')
        const certificate = parseCertificate(bytes)
        // The parser ignores what follows the certificate.
        return certificate.raw.equals(bytes) ? [certificate] : []
      } catch {
        return []
      }
    })
}

export function describeSigner(certificate: X509Certificate): Signer {
  return {
    subject: toOneLine(certificate.subject),
    issuer: toOneLine(certificate.issuer),
    serialNumber: certificate.serialNumber,
    validFrom: isoTime(certificate.validFrom),
    validTo: isoTime(certificate.validTo),
    fingerprint: certificate.fingerprint256,
  }
}

export interface ValidityInput {
  signer: X509Certificate | undefined
  signingTime: Date | undefined
  provenAt: Date | undefined
  now: Date
}

/** Valid when it signed, and proven to have signed before it ended. */
export function checkCertificate({ signer, signingTime, provenAt, now }: ValidityInput): Check {
  const name = 'certificate'
  if (!signer) return createCheck(name, 'there is no readable certificate')
  if (!signingTime) return createCheck(name, 'there is no readable SigningTime')
  const { validFrom, validTo } = describeSigner(signer)
  const valid = `it is valid from ${validFrom} to ${validTo}`
  if (!isValidAt(signer, signingTime)) {
    return createCheck(
      name,
      `${valid}, and the document was signed at ${signingTime.toISOString()}`,
    )
  }
  if (!isValidAt(signer, provenAt ?? now)) {
    const at = provenAt
      ? `the time stamp is of ${provenAt.toISOString()}`
      : 'no trusted time stamp proves that the document was signed before it ended'
    return createCheck(name, `${valid}, and ${at}`)
  }
  return createCheck(name, findUsageError(signer))
}

const timeStamping = '1.3.6.1.5.5.7.3.8'

/** If the certificate restricts its use, it must allow signing (RFC 5280, section 4.2.1.3). */
function findUsageError(certificate: X509Certificate): string | undefined {
  const usage = readKeyUsage(certificate)
  const isForSigning = usage === undefined || (usage & (digitalSignature | nonRepudiation)) !== 0
  // The types do not say that it may be absent.
  const purposes = certificate.keyUsage as readonly string[] | undefined
  const isForTimeStamps = purposes?.every((purpose) => purpose === timeStamping) ?? false
  return isForSigning && !isForTimeStamps
    ? undefined
    : 'the certificate is not for signing documents'
}

const digitalSignature = 0x80
const nonRepudiation = 0x40
const keyUsageOid = '2.5.29.15'

/** The first byte of the bits; 0 if unreadable. Node.js exposes only the extended key usage. */
function readKeyUsage(certificate: X509Certificate): number | undefined {
  try {
    const usage = readExtension(certificate, keyUsageOid)
    return usage && (readContent(readElement(usage.value), tags.bitString)[1] ?? 0)
  } catch (error) {
    if (error instanceof DerError) return 0
    throw error
  }
}

export interface TrustInput {
  certificates: readonly X509Certificate[]
  trusted: readonly X509Certificate[]
  at: Date | undefined
}

/** Certificates in the document only link the signer to a trusted one. */
export function checkTrust({ certificates, trusted, at }: TrustInput): Check {
  const name = 'authority'
  const [signer, ...links] = certificates
  if (!signer || !at) return createCheck(name, 'there is no certificate or signing time to check')
  if (isTrusted({ certificates: [signer, ...links], trusted, at })) {
    return createCheck(name, undefined)
  }
  return createCheck(name, 'no trusted certificate issued the signer’s certificate')
}

const isoTime = (time: string) => new Date(time).toISOString()
