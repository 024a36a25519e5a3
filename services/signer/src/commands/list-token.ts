import type { X509Certificate } from 'node:crypto'
import { toOneLine } from '../token/certificate-chain'
import { findCertificates } from '../token/certificates-in-token'
import { findPrivateKeys, type KeyName } from '../token/key-in-token'
import type { Token } from '../token/token'

export interface ListedCertificate {
  name: string
  validTo: string
  /** Negative after expiry. */
  daysLeft: number
}

export interface ListedToken {
  label: string
  /** `isSelected`: named by the settings. `algorithm`: absent for an unsupported key. */
  keys: {
    label: string
    id: string
    algorithm: string | undefined
    isSelected: boolean
    certificates: ListedCertificate[]
  }[]
  otherCertificates: ListedCertificate[]
}

const dayMs = 86_400_000

export function listToken(token: Token, name: KeyName, now: Date): ListedToken {
  const certificates = findCertificates(token)
  const selected = findPrivateKeys(token, name).map(({ id }) => id.toString('hex'))
  const keys = findPrivateKeys(token)
  const list = (entries: typeof certificates) =>
    entries.map(({ certificate }) => toListed(certificate, now))
  return {
    label: token.label,
    keys: keys.map(({ label, id, algorithm }) => ({
      label,
      id: id.toString('hex'),
      algorithm,
      isSelected: selected.includes(id.toString('hex')),
      certificates: list(certificates.filter((entry) => entry.id.equals(id))),
    })),
    otherCertificates: list(
      certificates.filter((entry) => !keys.some(({ id }) => entry.id.equals(id))),
    ),
  }
}

function toListed(certificate: X509Certificate, now: Date): ListedCertificate {
  const { validTo } = certificate
  const daysLeft = Math.floor((Date.parse(validTo) - now.getTime()) / dayMs)
  return { name: toOneLine(certificate), validTo, daysLeft }
}
