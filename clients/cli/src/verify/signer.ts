/** The signer as its certificates tell: who, when valid, vouched for by whom. */

import { X509Certificate } from 'node:crypto'
import type { Element } from '@xmldom/xmldom'
import { checkOf, type Check } from './signature'
import { childrenOf, ds, textOf } from './xml'

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

/** The signing certificate first, then what leads to an authority. */
export function certificatesOf(signature: Element): X509Certificate[] {
  return childrenOf(signature, ds('KeyInfo'))
    .flatMap((keyInfo) => childrenOf(keyInfo, ds('X509Data')))
    .flatMap((data) => childrenOf(data, ds('X509Certificate')))
    .slice(0, certificateCountMax)
    .flatMap((element) => {
      try {
        return [new X509Certificate(Buffer.from(textOf(element), 'base64'))]
      } catch {
        return []
      }
    })
}

export function signerOf(certificate: X509Certificate): Signer {
  return {
    subject: oneLine(certificate.subject),
    issuer: oneLine(certificate.issuer),
    serialNumber: certificate.serialNumber,
    validFrom: isoTime(certificate.validFrom),
    validTo: isoTime(certificate.validTo),
    fingerprint: certificate.fingerprint256,
  }
}

/** Every certificate of a PEM text. Throws where one is malformed. */
export function readPem(pem: string): X509Certificate[] {
  const blocks = pem.match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g) ?? []
  return blocks.map((block) => new X509Certificate(block))
}

/** At the moment of signing, as the signer told it. */
export function checkValidity(signer: X509Certificate | undefined, at: Date | undefined): Check {
  const name = 'certificate at signing time'
  if (!signer) return checkOf(name, 'there is no certificate that can be read')
  if (!at) return checkOf(name, 'there is no SigningTime that can be read')
  const { validFrom, validTo } = signerOf(signer)
  const fault = `it is valid from ${validFrom} to ${validTo}, and the document was signed at ${at.toISOString()}`
  return checkOf(name, isValidAt(signer, at) ? undefined : fault)
}

/** That it is for signing (RFC 5280, section 4.2.1.3), where it says what it is for. */
export function checkUsage(signer: X509Certificate | undefined): Check {
  const usage = signer && keyUsageOf(signer.raw)
  const isForSigning = usage === undefined || (usage & (digitalSignature | nonRepudiation)) !== 0
  const fault = 'the certificate is for something else than signing'
  return checkOf('key usage', isForSigning ? undefined : fault)
}

const digitalSignature = 0x80
const nonRepudiation = 0x40
const keyUsageOid = Buffer.from('0603551d0f', 'hex')
const der = { boolean: 0x01, bitString: 0x03, octetString: 0x04 } as const

/** The first byte of the bits; 0 where they cannot be read. Node.js tells of the extended alone. */
function keyUsageOf(certificate: Buffer): number | undefined {
  const found = certificate.indexOf(keyUsageOid)
  if (found < 0) return undefined
  let at = found + keyUsageOid.length
  if (certificate[at] === der.boolean) at += 3
  const isBits = certificate[at] === der.octetString && certificate[at + 2] === der.bitString
  return isBits ? (certificate[at + 5] ?? 0) : 0
}

export interface TrustQuestion {
  certificates: readonly X509Certificate[]
  trusted: readonly X509Certificate[]
  at: Date | undefined
}

/** Certificates that come with a document are never more than links. */
export function checkTrust({ certificates, trusted, at }: TrustQuestion): Check {
  const name = 'trusted authority'
  const [signer, ...links] = certificates
  if (!signer || !at) return checkOf(name, 'there is no certificate and moment to ask about')
  const candidates = new Set([...trusted, ...links])
  // Walks up over each certificate once, whatever circles they make.
  const reached = [signer]
  for (const certificate of reached) {
    if (trusted.some((anchor) => anchor.raw.equals(certificate.raw)))
      return checkOf(name, undefined)
    for (const issuer of candidates) {
      if (!isValidAt(issuer, at) || !isIssuedBy(certificate, issuer)) continue
      reached.push(issuer)
      candidates.delete(issuer)
    }
  }
  return checkOf(name, 'none of the trusted certificates vouches for the signer')
}

function isIssuedBy(certificate: X509Certificate, issuer: X509Certificate): boolean {
  return issuer.ca && certificate.checkIssued(issuer) && certificate.verify(issuer.publicKey)
}

function isValidAt({ validFrom, validTo }: X509Certificate, at: Date): boolean {
  return Date.parse(validFrom) <= +at && +at <= Date.parse(validTo)
}

const oneLine = (name: string) => name.replaceAll('\n', ', ')
const isoTime = (time: string) => new Date(time).toISOString()
