/** What is in the token, for people: each key with its certificate, and the certificates beside. */

import type { X509Certificate } from 'node:crypto'
import { nameOf } from '../token/certificate-chain'
import { findCertificates } from '../token/certificates-in-token'
import { findPrivateKeys, type KeyName } from '../token/key-in-token'
import type { Token } from '../token/token'

const dayMs = 86_400_000

/** `name`: which key the settings mean; it is marked. */
export function showToken(token: Token, name: KeyName, now: Date): string[] {
  const certificates = findCertificates(token)
  const meant = findPrivateKeys(token, name).map(({ id }) => id.toString('hex'))
  const keys = findPrivateKeys(token)
  const ofKeys = keys.flatMap(({ label, id, algorithm }) => {
    const mark = meant.includes(id.toString('hex')) ? '*' : ' '
    const own = certificates.filter((entry) => entry.id.equals(id))
    return [
      `${mark} key "${label}"  CKA_ID ${id.toString('hex')}  ${algorithm ?? 'of a kind that is not used here'}`,
      ...(own.length > 0
        ? own.map((entry) => told(entry.certificate, now))
        : ['    no certificate']),
    ]
  })
  const others = certificates.filter((entry) => !keys.some(({ id }) => entry.id.equals(id)))
  return [
    `token "${token.label}": ${keys.length} keys, ${certificates.length} certificates; * is what the settings mean`,
    ...ofKeys,
    ...(others.length > 0 ? ['  certificates of others'] : []),
    ...others.map((entry) => told(entry.certificate, now)),
  ]
}

function told(certificate: X509Certificate, now: Date): string {
  const days = Math.floor((Date.parse(certificate.validTo) - now.getTime()) / dayMs)
  const left = days < 0 ? 'expired' : `${days} days left`
  return `    certificate ${nameOf(certificate)}  until ${certificate.validTo}  ${left}`
}
