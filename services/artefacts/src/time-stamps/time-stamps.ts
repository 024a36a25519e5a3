import type { X509Certificate } from 'node:crypto'
import type { HashName } from '@einvoicing/verification/time-stamps/algorithms'

export interface TimeStampQuery {
  hash: HashName
  digest: Buffer
  /** An earlier stamp is rejected, with a minute's tolerance. */
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

/** RFC 3161. */
export interface TimeStamps {
  /** Throws SERVICE_UNAVAILABLE for no answer in time and for one that would prove nothing. */
  stamp(query: TimeStampQuery): Promise<TimeStamp>
  /** Of the last stamp, most likely those of the next; requests a stamp when there is none. */
  certificates(deadline: number): Promise<CertificateChain>
}
