import { readPemCertificates } from '@einvoicing/verification/certificate-chain'
import { TrustedCertificates } from '@einvoicing/verification/trusted-certificates'
import type { X509Certificate } from 'node:crypto'
import type { TimeStampConfig } from './config'
import type { HttpClient } from './http-client'

const rootBytesMax = 16 * 1024
const rootDeadlineMs = 5_000
/** A sandbox whose folder was deleted has a new root. */
const rootHeldMs = 60_000

export type TimeStampTrust = () => Promise<readonly X509Certificate[]>

export function openTimeStampTrust(
  { url, trustedCertificatesFile }: TimeStampConfig,
  http: HttpClient,
): TimeStampTrust {
  if (trustedCertificatesFile === undefined) return trustSandbox(`${url}/root`, http)
  const file = new TrustedCertificates({
    file: trustedCertificatesFile,
    isOptional: false,
    setting: 'TSA_TRUSTED_CERTIFICATES_FILE',
  })
  return async () => (await file.list()) ?? []
}

function trustSandbox(url: string, http: HttpClient): TimeStampTrust {
  let read: { certificates: readonly X509Certificate[]; untilMs: number } | undefined
  return async () => {
    if (read && performance.now() < read.untilMs) return read.certificates
    const query = { method: 'GET', url, deadlineMs: rootDeadlineMs } as const
    const pem = await http.send({ ...query, answerBytesMax: rootBytesMax })
    const certificates = readPemCertificates(pem.toString('latin1'))
    read = { certificates, untilMs: performance.now() + rootHeldMs }
    return certificates
  }
}
