import type { X509Certificate } from 'node:crypto'
import { toOneLine } from '@einvoicing/verification/parse-certificate'

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

/** Signed by the issuer, and the certificate is not revoked, or later than asked for. */
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

/** Likewise: newer data says nothing about the certificate. */
export class CertificateEnded extends Error {
  override readonly name = 'CertificateEnded'

  constructor({ subject, validTo }: X509Certificate) {
    const end = new Date(validTo).toISOString()
    const name = toOneLine(subject)
    super(`no revocation data about ${name} was published before its certificate ended on ${end}`)
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
