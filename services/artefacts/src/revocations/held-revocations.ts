import { ApiError } from '@einvoicing/domain/api-error'
import type { RevocationData } from '@einvoicing/verification/evidence'
import { isRevoked } from './cached-revocations'
import {
  CertificateEnded,
  type RevocationAnswer,
  type RevocationQuery,
  type Revocations,
} from './revocations'
import { readData } from './sources'

/** Also from what a document holds, where the certificate has ended since. */
export function withHeld(revocations: Revocations, held: RevocationData): Revocations {
  return {
    async about(query) {
      try {
        return await revocations.about(query)
      } catch (error) {
        const hasEnded = error instanceof ApiError && error.cause instanceof CertificateEnded
        const found = hasEnded ? findHeld(held, query) : undefined
        if (found) return found
        throw error
      }
    },
  }
}

function findHeld(held: RevocationData, query: RevocationQuery): RevocationAnswer | undefined {
  const { since } = query
  const data = [
    ...held.crls.map((bytes) => ({ kind: 'crl', bytes }) as const),
    ...held.ocspResponses.map((bytes) => ({ kind: 'ocsp', bytes }) as const),
  ]
  for (const one of data) {
    try {
      const found = readData(one, query)
      if (!isRevoked(found, query) && (!since || found.thisUpdate >= since)) return found
    } catch {
      // It is about another certificate.
    }
  }
  return undefined
}
