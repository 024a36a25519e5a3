import { dayInMorocco } from '@einvoicing/domain/invoice-dates'
import { limits } from '@einvoicing/domain/limits'
import { sha256Hex } from './objects/digest'
import type { StoredObject } from './objects/objects'

export type ArtefactKind = 'signedXml' | 'pdf' | 'qr'

const fileNames = { signedXml: 'signed.xml', pdf: 'invoice.pdf', qr: 'qr.png' } as const
const mediaTypes = {
  signedXml: 'application/xml',
  pdf: 'application/pdf',
  qr: 'image/png',
} as const

export function artefactKey(organizationId: string, invoiceId: string, kind: ArtefactKind): string {
  return `${organizationId}/${invoiceId}/${fileNames[kind]}`
}

/** 0 is level LT, n the nth archive time stamp (level LTA); each is a complete document. */
export function evidenceKey(organizationId: string, invoiceId: string, artefact: number): string {
  const name = artefact === 0 ? 'signed-lt.xml' : `signed-lta-${artefact}.xml`
  return `${organizationId}/${invoiceId}/${name}`
}

/** Level T, from the second time stamp on; the first is stored by the caller. */
export function stampedKey(organizationId: string, invoiceId: string, stamp: number): string {
  return `${organizationId}/${invoiceId}/signed-t-${stamp}.xml`
}

/** `undefined` for any key but that of a signed XML. */
export function findOwnerOfSignedXml(
  key: string,
): { organizationId: string; invoiceId: string } | undefined {
  const [organizationId, invoiceId, fileName, ...more] = key.split('/')
  if (!organizationId || !invoiceId || more.length > 0) return undefined
  return fileName === fileNames.signedXml ? { organizationId, invoiceId } : undefined
}

export interface RetentionStart {
  invoiceDate: string
  /** Absent in requests of older versions. */
  signedAt?: string | undefined
}

export function toStoredObject(
  kind: ArtefactKind,
  bytes: Buffer,
  start: RetentionStart,
): StoredObject {
  return {
    bytes,
    mediaType: mediaTypes[kind],
    sha256: sha256Hex(bytes),
    retainUntil: computeRetention(start),
  }
}

// S3 servers accept four-digit years, and the lock is rounded up to a whole second.
const yearMax = 9_998

/**
 * Ten full years after the year of issue, or of signing if later. An invoice date counts for at
 * most one year after the signature: documents may have any date up to 9999.
 */
export function computeRetention({ invoiceDate, signedAt }: RetentionStart): Date {
  const issued = Number(/^(\d{4})-\d{2}-\d{2}$/.exec(invoiceDate)?.[1])
  if (Number.isNaN(issued)) throw new RangeError(`not an invoice date: ${invoiceDate.slice(0, 40)}`)
  const year = signedAt === undefined ? issued : retentionStartYear(issued, signedAt)
  return new Date(Date.UTC(Math.min(year + limits.retentionYears, yearMax) + 1, 0, 1) - 1)
}

function retentionStartYear(issued: number, signedAt: string): number {
  const signed = Number(dayInMorocco(new Date(signedAt)).slice(0, 4))
  return Math.max(signed, Math.min(issued, signed + limits.invoiceDateYearsAhead))
}
