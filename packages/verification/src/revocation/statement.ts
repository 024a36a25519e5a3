import type { X509Certificate } from 'node:crypto'
import { readExtension } from '../certificate-fields'
import { readTime, tags, type DerElement } from '../der'

/** Of a revocation list or an OCSP response with a verified signature. */
export interface Statement {
  thisUpdate: Date
  /** The latest time of newer data, if stated. */
  nextUpdate: Date | undefined
  /** It is also about certificates that ended since then; absent: only about others. */
  endedSince: Date | undefined
  /** `undefined`: nothing about this certificate. */
  about(certificate: X509Certificate): 'good' | { revokedAt: Date } | undefined
}

/** Saying nothing about a certificate that ended proves nothing (RFC 5280, section 5). */
export function isAfterEnd(
  { thisUpdate, endedSince }: Pick<Statement, 'thisUpdate' | 'endedSince'>,
  { validTo }: X509Certificate,
): boolean {
  const endMs = Date.parse(validTo)
  if (thisUpdate.getTime() <= endMs) return false
  return endedSince === undefined || endedSince.getTime() > endMs
}

export class RevocationError extends Error {
  override readonly name = 'RevocationError'
}

const utcTime = 0x17

/** UTCTime until 2049, GeneralizedTime from then on (RFC 5280, section 5.1.2.4). */
export function readEitherTime(element: DerElement | undefined): Date {
  if (element?.tag !== utcTime) return readTime(element)
  const text = element.content.toString('latin1')
  const century = Number(text.slice(0, 2)) < 50 ? '20' : '19'
  const content = Buffer.from(`${century}${text}`, 'latin1')
  return readTime({ tag: tags.generalizedTime, content, bytes: content })
}

export function isEitherTime({ tag }: DerElement): boolean {
  return tag === utcTime || tag === tags.generalizedTime
}

/** RFC 9608: no revocation data exists about such a certificate. */
export function isNeverRevoked(certificate: X509Certificate): boolean {
  return readExtension(certificate, '2.5.29.56') !== undefined
}
