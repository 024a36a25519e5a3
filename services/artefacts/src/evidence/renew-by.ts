import type { X509Certificate } from 'node:crypto'
import { listHashes, nameKey } from './algorithm-ends'

export interface RenewalConfig {
  beforeDays: number
  algorithmEnds: Readonly<Record<string, string>>
}

const dayMs = 86_400_000

/** When a stamp of this certificate, with these hashes, proves nothing any more. */
export function findEnd(
  certificate: X509Certificate,
  hashes: readonly string[],
  { algorithmEnds }: RenewalConfig,
): Date {
  const ends = [...hashes, nameKey(certificate)].flatMap((name) => algorithmEnds[name] ?? [])
  return new Date(Math.min(Date.parse(certificate.validTo), ...ends.map((end) => Date.parse(end))))
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
