import type { KeyObject, X509Certificate } from 'node:crypto'

export interface KeyPair {
  privateKey: KeyObject
  certificate: X509Certificate
}

export interface RevocationList {
  thisUpdate: Date
  nextUpdate: Date
  bytes: Buffer
}
