import { createHash } from 'node:crypto'
import type { MessagePort } from 'node:worker_threads'
import { parseCertificate } from '@einvoicing/verification/parse-certificate'
import { verifyInvoice, type Report } from '@einvoicing/verification/verify/report'

export interface VerificationTask {
  document: Uint8Array
  /** In DER; `undefined`: not checked. */
  signers: readonly Uint8Array[] | undefined
  timeStamps: readonly Uint8Array[] | undefined
  now: Date
}

export interface BegunTask extends VerificationTask {
  /** Gets a message once the thread runs. */
  begun: MessagePort
}

export interface Verification {
  report: Report
  /** Of the file, lower-case hexadecimal. */
  sha256: string
}

export function verifyOnThread({ document, now, begun, ...trust }: BegunTask): Verification {
  begun.postMessage(undefined)
  const read = (certificates: readonly Uint8Array[] | undefined) =>
    certificates?.map(parseCertificate)
  const trusted = { signers: read(trust.signers), timeStamps: read(trust.timeStamps) }
  return {
    report: verifyInvoice(document, trusted, now),
    sha256: createHash('sha256').update(document).digest('hex'),
  }
}
