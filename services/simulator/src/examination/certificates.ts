import { X509Certificate } from 'node:crypto'

export function readPemCertificates(pem: string): X509Certificate[] {
  const blocks = pem.match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g) ?? []
  return blocks.map((block) => new X509Certificate(block))
}

export interface Chain {
  signing: X509Certificate
  intermediates: readonly X509Certificate[]
  trusted: readonly X509Certificate[]
  at: Date
}

/** `undefined` for a trusted certificate. */
export function findChainError(chain: Chain): string | undefined {
  const { signing, at } = chain
  if (!isValidAt(signing, at)) {
    return `certificate valid from ${signing.validFrom} to ${signing.validTo} only`
  }
  if (isTrusted(chain)) return undefined
  return `no valid chain from ${toOneLine(signing.subject)} to a trusted authority`
}

// Visits each certificate once, so that cross-signed links cannot loop.
function isTrusted(question: Chain): boolean {
  const candidates = new Set([...question.trusted, ...question.intermediates])
  const reached = [question.signing]
  for (const certificate of reached) {
    if (question.trusted.some((anchor) => isSame(anchor, certificate))) return true
    for (const issuer of candidates) {
      if (!isValidAt(issuer, question.at) || !isIssuedBy(certificate, issuer)) continue
      reached.push(issuer)
      candidates.delete(issuer)
    }
  }
  return false
}

function isIssuedBy(certificate: X509Certificate, issuer: X509Certificate): boolean {
  return issuer.ca && certificate.checkIssued(issuer) && certificate.verify(issuer.publicKey)
}

function isValidAt(certificate: X509Certificate, at: Date): boolean {
  return Date.parse(certificate.validFrom) <= +at && +at <= Date.parse(certificate.validTo)
}

function isSame(one: X509Certificate, other: X509Certificate): boolean {
  return one.fingerprint256 === other.fingerprint256
}

const toOneLine = (subject: string): string => subject.replaceAll('\n', ', ')
