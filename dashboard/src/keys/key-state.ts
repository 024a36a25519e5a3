import type { ApiKey } from '../api/api-keys'

type Ends = Pick<ApiKey, 'revokedAt' | 'expiresAt'>

export function isActive({ revokedAt, expiresAt }: Ends, now = new Date()): boolean {
  return revokedAt === null && (expiresAt === null || expiresAt > now.toISOString())
}
