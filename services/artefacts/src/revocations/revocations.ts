import type { X509Certificate } from 'node:crypto'

export interface RevocationQuery {
  certificate: X509Certificate
  issuer: X509Certificate
  /** Data from before says nothing of what happened until then; absent: any that is current. */
  since?: Date | undefined
  /** In milliseconds since the epoch. */
  deadline: number
}

/** Signed by the issuer, current, and saying that the certificate was not revoked. */
export interface RevocationAnswer {
  kind: 'crl' | 'ocsp'
  /** In DER: a CertificateList, or a whole OCSPResponse. */
  bytes: Buffer
  thisUpdate: Date
}

/** Revocation data of certificates: CRL (RFC 5280) or OCSP (RFC 6960). */
export interface Revocations {
  /**
   * Throws `NotYetPublished` where there is only older data than is asked for, and
   * SERVICE_UNAVAILABLE, with its cause, where there is none that is current and signed.
   */
  about(query: RevocationQuery): Promise<RevocationAnswer>
}

/** The cause of SERVICE_UNAVAILABLE about that certificate: waiting brings no other data. */
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
  /** When newer data may be there. */
  readonly until: Date

  constructor(until: Date) {
    super(`no revocation data is new enough before ${until.toISOString()}`)
    this.until = until
  }
}
