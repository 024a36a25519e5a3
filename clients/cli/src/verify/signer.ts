import { X509Certificate } from 'node:crypto'
import type { Element } from '@xmldom/xmldom'
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
        const certificate = new X509Certificate(bytes)
        // The parser ignores what follows the certificate.
        return certificate.raw.equals(bytes) ? [certificate] : []
      } catch {
        return []
      }
    })
}

export function describeSigner(certificate: X509Certificate): Signer {
  return {
    subject: oneLine(certificate.subject),
    issuer: oneLine(certificate.issuer),
    serialNumber: certificate.serialNumber,
    validFrom: isoTime(certificate.validFrom),
    validTo: isoTime(certificate.validTo),
    fingerprint: certificate.fingerprint256,
  }
}

export function readPem(pem: string): X509Certificate[] {
  const blocks = pem.match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g) ?? []
  return blocks.map((block) => new X509Certificate(block))
}

/** At the signing time stated by the signer. */
export function checkValidity(signer: X509Certificate | undefined, at: Date | undefined): Check {
  const name = 'certificate at signing time'
  if (!signer) return createCheck(name, 'there is no readable certificate')
  if (!at) return createCheck(name, 'there is no readable SigningTime')
  const { validFrom, validTo } = describeSigner(signer)
  const problem = `it is valid from ${validFrom} to ${validTo}, and the document was signed at ${at.toISOString()}`
  return createCheck(name, isValidAt(signer, at) ? undefined : problem)
}

/** If the certificate restricts its use, it must allow signing (RFC 5280, section 4.2.1.3). */
export function checkUsage(signer: X509Certificate | undefined): Check {
  const usage = signer && readKeyUsage(signer.raw)
  const isForSigning = usage === undefined || (usage & (digitalSignature | nonRepudiation)) !== 0
  const problem = 'the certificate is not meant for signing'
  return createCheck('key usage', isForSigning ? undefined : problem)
}

const digitalSignature = 0x80
const nonRepudiation = 0x40
const keyUsageOid = Buffer.from('0603551d0f', 'hex')
const der = { boolean: 0x01, bitString: 0x03, octetString: 0x04 } as const

/** The first byte of the bits; 0 if unreadable. Node.js exposes only the extended key usage. */
function readKeyUsage(certificate: Buffer): number | undefined {
  const found = certificate.indexOf(keyUsageOid)
  if (found < 0) return undefined
  let at = found + keyUsageOid.length
  if (certificate[at] === der.boolean) at += 3
  const isBits = certificate[at] === der.octetString && certificate[at + 2] === der.bitString
  return isBits ? (certificate[at + 5] ?? 0) : 0
}

export interface TrustInput {
  certificates: readonly X509Certificate[]
  trusted: readonly X509Certificate[]
  at: Date | undefined
}

/** Certificates in the document only link the signer to a trusted one. */
export function checkTrust({ certificates, trusted, at }: TrustInput): Check {
  const name = 'trusted authority'
  const [signer, ...links] = certificates
  if (!signer || !at) return createCheck(name, 'there is no certificate or signing time to check')
  const candidates = new Set([...trusted, ...links])
  // Visits each certificate once, even if they form a cycle.
  const reached = [signer]
  for (const certificate of reached) {
    if (trusted.some((anchor) => anchor.raw.equals(certificate.raw)))
      return createCheck(name, undefined)
    for (const issuer of candidates) {
      if (!isValidAt(issuer, at) || !isIssuedBy(certificate, issuer)) continue
      reached.push(issuer)
      candidates.delete(issuer)
    }
  }
  return createCheck(name, 'no trusted certificate issued the signer’s certificate')
}

function isIssuedBy(certificate: X509Certificate, issuer: X509Certificate): boolean {
  return issuer.ca && certificate.checkIssued(issuer) && certificate.verify(issuer.publicKey)
}

function isValidAt({ validFrom, validTo }: X509Certificate, at: Date): boolean {
  return Date.parse(validFrom) <= +at && +at <= Date.parse(validTo)
}

const oneLine = (name: string) => name.replaceAll('\n', ', ')
const isoTime = (time: string) => new Date(time).toISOString()
