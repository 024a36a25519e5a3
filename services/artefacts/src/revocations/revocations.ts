import type { X509Certificate } from 'node:crypto'

export interface RevocationQuery {
  certificate: X509Certificate
  issuer: X509Certificate
  /** Older data does not cover the time until then; absent: any current data. */
  since?: Date | undefined
  /** What it signed is proven to be of `since`: a revocation after that leaves it valid. */
  mayBeRevokedLater?: boolean | undefined
  /** In milliseconds since the epoch. */
  deadline: number
}

/** Signed by the issuer, current, and the certificate is not revoked, or later than asked for. */
export interface RevocationAnswer {
  kind: 'crl' | 'ocsp'
  /** In DER: a CertificateList, or a whole OCSPResponse. */
  bytes: Buffer
  thisUpdate: Date
}

/** CRL (RFC 5280) or OCSP (RFC 6960). */
export interface Revocations {
  /** Throws `NotYetPublished` for older data only, SERVICE_UNAVAILABLE for none that is valid. */
  about(query: RevocationQuery): Promise<RevocationAnswer>
}

/** As the cause of SERVICE_UNAVAILABLE: waiting does not help. */
export class CertificateRevoked extends Error {
  override readonly name = 'CertificateRevoked'
  readonly fingerprint256: string

  constructor({ fingerprint256 }: X509Certificate, revokedAt: Date) {
    super(`the certificate was revoked on ${revokedAt.toISOString()}`)
    this.fingerprint256 = fingerprint256
  }
}

export class NotYetPublished extends Error {
  override readonly name = 'NotYetPublished'
  /** When newer data may be published. */
  readonly until: Date

  constructor(until: Date) {
    super(`no revocation data is new enough before ${until.toISOString()}`)
    this.until = until
  }
}
