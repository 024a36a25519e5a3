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
