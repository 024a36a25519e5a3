import { X509Certificate } from 'node:crypto'

export interface Chain {
  /** The certificate to check first, then the links sent with it. */
  certificates: readonly [X509Certificate, ...X509Certificate[]]
  trusted: readonly X509Certificate[]
  at: Date
}

export function readPemCertificates(pem: string): X509Certificate[] {
  const blocks = pem.match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g) ?? []
  return blocks.map((block) => new X509Certificate(block))
}

/** Links in a document are never trusted. Each is visited once: cross-signed ones cannot loop. */
export function isTrusted({ certificates, trusted, at }: Chain): boolean {
  const anchors = new Set(trusted.map(({ fingerprint256 }) => fingerprint256))
  const candidates = new Set([...trusted, ...certificates.slice(1)])
  const reached = [certificates[0]]
  for (const certificate of reached) {
    if (!isValidAt(certificate, at)) continue
    if (anchors.has(certificate.fingerprint256)) return true
    for (const issuer of candidates) {
      if (!isIssuedBy(certificate, issuer)) continue
      reached.push(issuer)
      candidates.delete(issuer)
    }
  }
  return false
}

/** Never changes for two certificates, and costs as much as verifying a document. */
const issuedBy = new WeakMap<X509Certificate, WeakMap<X509Certificate, boolean>>()

function isIssuedBy(certificate: X509Certificate, issuer: X509Certificate): boolean {
  const byIssuer = issuedBy.get(certificate) ?? new WeakMap<X509Certificate, boolean>()
  issuedBy.set(certificate, byIssuer)
  const known = byIssuer.get(issuer)
  if (known !== undefined) return known
  const isIssued =
    issuer.ca && certificate.checkIssued(issuer) && certificate.verify(issuer.publicKey)
  byIssuer.set(issuer, isIssued)
  return isIssued
}

function isValidAt({ validFrom, validTo }: X509Certificate, at: Date): boolean {
  return Date.parse(validFrom) <= at.getTime() && at.getTime() <= Date.parse(validTo)
}
