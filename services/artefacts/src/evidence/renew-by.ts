import type { X509Certificate } from 'node:crypto'
import {
  findEnd as findSignatureEnd,
  listHashes,
  type AlgorithmEnds,
} from '@einvoicing/verification/algorithm-ends'

export interface RenewalConfig {
  beforeDays: number
  algorithmEnds: AlgorithmEnds
}

const dayMs = 86_400_000

/** When a stamp of this certificate, with these hashes, proves nothing any more. */
export function findEnd(
  certificate: X509Certificate,
  hashes: readonly string[],
  { algorithmEnds }: RenewalConfig,
): Date {
  return findSignatureEnd({ path: [certificate], hashes }, algorithmEnds)
}

/** `undefined` when the stamp outlives what it proves. */
export function computeRenewBy(
  { token, certificate }: { token: Buffer; certificate: X509Certificate },
  config: RenewalConfig,
  retainUntil: Date,
): Date | undefined {
  const end = findEnd(certificate, listHashes(token), config)
  return end < retainUntil ? new Date(end.getTime() - config.beforeDays * dayMs) : undefined
}
