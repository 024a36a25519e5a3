/** What is kept of an invoice: three artefacts, where each rests, and for how long. */

import { limits } from '@einvoicing/kernel/limits'
import { sha256Of } from './objects/digest'
import type { StoredObject } from './objects/objects'

export type ArtefactKind = 'signedXml' | 'pdf' | 'qr'

const fileNames = { signedXml: 'signed.xml', pdf: 'invoice.pdf', qr: 'qr.png' } as const
const mediaTypes = {
  signedXml: 'application/xml',
  pdf: 'application/pdf',
  qr: 'image/png',
} as const

/**
 * Names the place of an artefact. Ids are part of it as they are, so the store refuses hostile
 * ones.
 */
export function artefactKey(organizationId: string, invoiceId: string, kind: ArtefactKind): string {
  return `${organizationId}/${invoiceId}/${fileNames[kind]}`
}

/** Whose signed XML rests under a key; `undefined` under the key of anything else. */
export function ownerOfSignedXml(
  key: string,
): { organizationId: string; invoiceId: string } | undefined {
  const [organizationId, invoiceId, fileName, ...more] = key.split('/')
  if (!organizationId || !invoiceId || more.length > 0) return undefined
  return fileName === fileNames.signedXml ? { organizationId, invoiceId } : undefined
}

/** Bytes ready to be kept. `invoiceDate` is YYYY-MM-DD. */
export function artefact(kind: ArtefactKind, bytes: Buffer, invoiceDate: string): StoredObject {
  return {
    bytes,
    mediaType: mediaTypes[kind],
    sha256: sha256Of(bytes),
    retainUntil: retainUntil(invoiceDate),
  }
}

/** Ten full years from the end of the year of issue: 2026-05-03 gives 2036-12-31T23:59:59.999Z. */
export function retainUntil(invoiceDate: string): Date {
  const year = /^(\d{4})-\d{2}-\d{2}$/.exec(invoiceDate)?.[1]
  if (year === undefined) throw new RangeError(`not an invoice date: ${invoiceDate.slice(0, 40)}`)
  return new Date(Date.UTC(Number(year) + limits.retentionYears + 1, 0, 1) - 1)
}
