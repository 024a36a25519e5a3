import type { X509Certificate } from 'node:crypto'
import type { Certificates, Trust } from '@einvoicing/proto/artefacts'
import { ApiError } from '@einvoicing/domain/api-error'
import type { TrustedCertificates } from '@einvoicing/verification/trusted-certificates'
import type { TimeStampTrust } from '../time-stamps/trust'

export interface TrustDeps {
  trusted: TrustedCertificates
  timeStamps: TimeStampTrust | undefined
}

/** Throws SERVICE_UNAVAILABLE for a file of certificates that cannot be used. */
export async function readTrust({ trusted, timeStamps }: TrustDeps): Promise<Trust> {
  const signers = await trusted.list()
  return { signers: toWire(signers), timeStamps: toWire(await readTimeStampTrust(timeStamps)) }
}

/** `undefined`: a sandbox that never answered; its time stamps' issuer is not checked. */
async function readTimeStampTrust(timeStamps: TimeStampTrust | undefined) {
  try {
    return await timeStamps?.()
  } catch (error) {
    if (error instanceof ApiError) throw error
    return undefined
  }
}

function toWire(certificates: readonly X509Certificate[] | undefined): Certificates | undefined {
  return certificates && { certificates: certificates.map(({ raw }) => raw) }
}
