import { X509Certificate } from 'node:crypto'
import { isUsable } from './parse-certificate'

export interface Chain {
  /** The certificate to check first, then the links sent with it. */
  certificates: readonly [X509Certificate, ...X509Certificate[]]
  trusted: readonly X509Certificate[]
  at: Date
}

/** Without those whose key is of an unknown type: they prove nothing. */
export function readPemCertificates(pem: string): X509Certificate[] {
  const blocks = pem.match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g) ?? []
  return blocks.map((block) => new X509Certificate(block)).filter(isUsable)
}

/** Links in a document are never trusted. Each is visited once: cross-signed ones cannot loop. */
export function isTrusted(chain: Chain): boolean {
  return findPath(chain) !== undefined
}

/** Ends at the trusted certificate; `undefined` without one. */
export function findPath({ certificates, trusted, at }: Chain): X509Certificate[] | undefined {
  const anchors = new Set(trusted.map(({ fingerprint256 }) => fingerprint256))
  const candidates = new Set([...trusted, ...certificates.slice(1)])
  const paths = [[certificates[0]]]
  for (const path of paths) {
    const certificate = path.at(-1)
    if (!certificate || !isValidAt(certificate, at)) continue
    if (anchors.has(certificate.fingerprint256)) return path
    for (const issuer of candidates) {
      if (!isIssuedBy(certificate, issuer)) continue
      paths.push([...path, issuer])
      candidates.delete(issuer)
    }
  }
  return undefined
}

/** Cached: it costs as much as verifying a document. */
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

export function isValidAt({ validFrom, validTo }: X509Certificate, at: Date): boolean {
  return Date.parse(validFrom) <= at.getTime() && at.getTime() <= Date.parse(validTo)
}
