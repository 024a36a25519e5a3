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
  { url, trustedCertificatesFile }: Pick<TimeStampConfig, 'url' | 'trustedCertificatesFile'>,
  http: HttpClient,
  heldMs = rootHeldMs,
): TimeStampTrust {
  if (trustedCertificatesFile === undefined) return trustSandbox(`${url}/root`, http, heldMs)
  return trustFile(trustedCertificatesFile)
}

export function trustFile(name: string): TimeStampTrust {
  const file = new TrustedCertificates({
    file: name,
    isOptional: false,
    setting: 'TSA_TRUSTED_CERTIFICATES_FILE',
  })
  return async () => (await file.list()) ?? []
}

function trustSandbox(url: string, http: HttpClient, heldMs: number): TimeStampTrust {
  let known: readonly X509Certificate[] | undefined
  let askAgainAtMs = 0
  let underway: Promise<void> | undefined
  const ask = async () => {
    const query = { method: 'GET', url, deadlineMs: rootDeadlineMs } as const
    try {
      const pem = await http.send({ ...query, answerBytesMax: rootBytesMax })
      known = readPemCertificates(pem.toString('latin1'))
    } catch (error) {
      // What was trusted a minute ago is trusted while the sandbox is unavailable.
      if (!known) throw error
    }
    askAgainAtMs = performance.now() + heldMs
  }
  return async () => {
    if (performance.now() >= askAgainAtMs) {
      underway ??= ask().finally(() => (underway = undefined))
      await underway
    }
    return known ?? []
  }
}
