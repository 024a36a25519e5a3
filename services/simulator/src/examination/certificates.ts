/**
 * Decides whether a signing certificate chains to an authority the platform trusts, all valid at
 * the given moment.
 *
 * Trust comes from configuration alone: certificates that travel with a document are only ever
 * links of the chain.
 */

import { X509Certificate } from 'node:crypto'

/**
 * Reads every certificate of a PEM text. Throws when one is malformed; an empty list means there
 * was none.
 */
export function readPemCertificates(pem: string): X509Certificate[] {
  const blocks = pem.match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g) ?? []
  return blocks.map((block) => new X509Certificate(block))
}

export interface Chain {
  signing: X509Certificate
  /** Untrusted links, as found in the document. */
  intermediates: readonly X509Certificate[]
  trusted: readonly X509Certificate[]
  at: Date
}

/** Why the chain does not hold; `undefined` when it does. */
export function findChainError(chain: Chain): string | undefined {
  const { signing, at } = chain
  if (!isValidAt(signing, at)) {
    return `certificate valid from ${signing.validFrom} to ${signing.validTo} only`
  }
  if (isTrusted(chain)) return undefined
  return `no valid chain from ${toOneLine(signing.subject)} to a trusted authority`
}

// Walks upwards once over each certificate: cross-signed links must not make the search grow
// without bound.
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
