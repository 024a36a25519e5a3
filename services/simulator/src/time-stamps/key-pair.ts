import type { KeyObject, X509Certificate } from 'node:crypto'

export interface KeyPair {
  privateKey: KeyObject
  certificate: X509Certificate
}

export interface Revoked {
  serialNumber: string
  at: string
}

export interface RevocationList {
  thisUpdate: Date
  nextUpdate: Date
  revoked: readonly Revoked[]
  bytes: Buffer
}

export interface StamperOptions {
  now: Date
  days: number
  crlUrl: string
}
