import type { X509Certificate } from 'node:crypto'
import { listHashes, nameKey } from './algorithm-ends'

export interface RenewalConfig {
  /** How long before a certificate or an algorithm ends. */
  beforeDays: number
  /** By the name of an algorithm, `2029-01-01`. */
  algorithmEnds: Readonly<Record<string, string>>
}

const dayMs = 86_400_000

/** When a stamp of this certificate, by these hashes, stops proving anything. */
export function findEnd(
  certificate: X509Certificate,
  hashes: readonly string[],
  { algorithmEnds }: RenewalConfig,
): Date {
  const ends = [...hashes, nameKey(certificate)].flatMap((name) => algorithmEnds[name] ?? [])
  return new Date(Math.min(Date.parse(certificate.validTo), ...ends.map((end) => Date.parse(end))))
}

/** `undefined` where the stamp outlives what it is for. */
export function computeRenewBy(
  { token, certificate }: { token: Buffer; certificate: X509Certificate },
  config: RenewalConfig,
  retainUntil: Date,
): Date | undefined {
  const end = findEnd(certificate, listHashes(token), config)
  return end < retainUntil ? new Date(end.getTime() - config.beforeDays * dayMs) : undefined
}
