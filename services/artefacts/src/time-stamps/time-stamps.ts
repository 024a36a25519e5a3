import type { X509Certificate } from 'node:crypto'
import type { HashName } from '@einvoicing/verification/time-stamps/algorithms'

export interface TimeStampQuery {
  hash: HashName
  digest: Buffer
  /** An earlier stamp is refused, but for a minute's tolerance. */
  notBefore: Date
  /** In milliseconds since the epoch. */
  deadline: number
}

export interface TimeStamp {
  /** A TimeStampToken in DER, checked. */
  token: Buffer
  time: Date
  /** The authority's own, then those sent with it. */
  certificates: CertificateChain
}

export type CertificateChain = readonly [X509Certificate, ...X509Certificate[]]

/** An authority for time stamps (RFC 3161). */
export interface TimeStamps {
  /**
   * Throws SERVICE_UNAVAILABLE, with what is wrong as its cause, when there is no answer in time
   * and for an answer that would prove nothing.
   */
  stamp(query: TimeStampQuery): Promise<TimeStamp>
  /**
   * Of the last stamp: most likely those of the next one. Asks for a stamp where there was none
   * lately, and throws as `stamp`.
   */
  certificates(deadline: number): Promise<CertificateChain>
}
