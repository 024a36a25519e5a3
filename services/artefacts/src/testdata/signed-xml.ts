/**
 * Documents that the signer made, of invoices FA-2026-0001 and FA-2026-0002 of 2026-05-03, and the
 * certificate of its authority; and one that the signer of someone else made.
 */

import { readFileSync } from 'node:fs'
import path from 'node:path'
import type { TrustConfig } from '@einvoicing/verification/trusted-certificates'
import type { KeepSignedXmlRequest } from '@einvoicing/proto/artefacts'
import { sha256Hex } from '../objects/digest'

const file = (name: string) => path.join(__dirname, name)

export const signedXml = readFileSync(file('signed.xml'))
export const otherSignedXml = readFileSync(file('signed-another.xml'))
export const strangersXml = readFileSync(file('signed-by-stranger.xml'))
export const strangersCertificateFile = file('strangers-certificate.pem')

export const trust: TrustConfig = { file: file('trusted-certificate.pem'), isOptional: false }

/** As `invoices` brings it. */
export function makeKeepRequest(
  invoiceId: string,
  changes: Partial<KeepSignedXmlRequest> = {},
): KeepSignedXmlRequest {
  const xml = changes.xml ?? signedXml
  return {
    invoiceId,
    invoiceDate: '2026-05-03',
    invoiceNumber: 'FA-2026-0001',
    issuerIce: '001234567000089',
    xml,
    sha256: sha256Hex(xml),
    ...changes,
  }
}
