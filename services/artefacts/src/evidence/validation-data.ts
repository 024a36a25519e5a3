/** Certificates and revocation data that verifiers cannot find later. */

import type { X509Certificate } from 'node:crypto'
import { unavailable } from '@einvoicing/domain/api-error'
import { findPath } from '@einvoicing/verification/certificate-chain'
import type { RevocationData } from '@einvoicing/verification/evidence'
import { toOneLine } from '@einvoicing/verification/parse-certificate'
import { isNeverRevoked } from '@einvoicing/verification/revocation/statement'
import type { Revocations } from '../revocations/revocations'
import type { CertificateChain } from '../time-stamps/time-stamps'

export interface ChainToProve {
  certificates: CertificateChain
  /** `undefined`: not checked; the chain then ends where the document's own does. */
  trusted: readonly X509Certificate[] | undefined
  at: Date
  /** The certificate was not revoked until then; absent: it stamps next. */
  since?: Date
  mayBeRevokedLater?: boolean
}

export interface ValidationData extends RevocationData {
  /** Of every chain, without those in the document. */
  certificates: X509Certificate[]
}

export interface Sources {
  revocations: Revocations
  deadline: number
}

export async function collectValidationData(
  chains: readonly ChainToProve[],
  sources: Sources,
): Promise<ValidationData> {
  const held = new Set(chains.flatMap(({ certificates }) => certificates.map(toKey)))
  const missing = new Map<string, X509Certificate>()
  const crls = new Map<string, Buffer>()
  const ocspResponses = new Map<string, Buffer>()
  for (const chain of chains) {
    const path = followChain(chain)
    for (const one of path) if (!held.has(toKey(one))) missing.set(toKey(one), one)
    for (const { kind, bytes } of await proveChain(chain, path, sources)) {
      const list = kind === 'crl' ? crls : ocspResponses
      list.set(bytes.toString('base64'), bytes)
    }
  }
  return {
    certificates: [...missing.values()],
    crls: [...crls.values()],
    ocspResponses: [...ocspResponses.values()],
  }
}

function followChain({ certificates, trusted, at }: ChainToProve): readonly X509Certificate[] {
  if (trusted === undefined) return certificates
  const path = findPath({ certificates, trusted, at })
  if (path) return path
  const { subject } = certificates[0]
  const cause = new Error(`no trusted authority issued ${toOneLine(subject)}`)
  throw unavailable('Evidence', cause)
}

/** The last certificate is trusted and needs no proof. */
function proveChain(
  { since, mayBeRevokedLater }: ChainToProve,
  path: readonly X509Certificate[],
  { revocations, deadline }: Sources,
) {
  const links = path.flatMap((certificate, index) => {
    const issuer = path[index + 1]
    if (!issuer || isNeverRevoked(certificate)) return []
    // Lists about authorities are months apart: the current one is the newest for long.
    const own = index === 0 ? { since, mayBeRevokedLater } : {}
    return [{ certificate, issuer, deadline, ...own }]
  })
  return Promise.all(links.map((link) => revocations.about(link)))
}

function toKey({ fingerprint256 }: X509Certificate): string {
  return fingerprint256
}
