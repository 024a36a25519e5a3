import type { X509Certificate } from 'node:crypto'
import type { Certificates, Trust } from '@einvoicing/proto/artefacts'
import { unavailable } from '@einvoicing/domain/api-error'
import type { TrustedCertificates } from '@einvoicing/verification/trusted-certificates'
import type { TimeStampTrust } from '../time-stamps/trust'

export interface TrustDeps {
  trusted: TrustedCertificates
  timeStamps: TimeStampTrust | undefined
}

/** Throws SERVICE_UNAVAILABLE. */
export async function readTrust({ trusted, timeStamps }: TrustDeps): Promise<Trust> {
  const signers = await trusted.list()
  try {
    return { signers: toWire(signers), timeStamps: toWire(await timeStamps?.()) }
  } catch (error) {
    throw unavailable('The time-stamp authority', error)
  }
}

function toWire(certificates: readonly X509Certificate[] | undefined): Certificates | undefined {
  return certificates && { certificates: certificates.map(({ raw }) => raw) }
}
