import { ApiError, unavailable } from '@einvoicing/domain/api-error'
import type { Invoice } from '@einvoicing/proto/invoice'
import { artefactKey } from '../artefact'
import { sha256Hex } from '../objects/digest'
import type { Objects } from '../objects/objects'
import type { RecentBytes } from '../recent-bytes'

export interface Archive {
  objects: Pick<Objects, 'get'>
  /** The signed XML that was archived last, by key: its time stamp and its PDF are due soon. */
  recentXml: RecentBytes
}

export async function readArchivedXml(
  { objects, recentXml }: Archive,
  organizationId: string,
  invoiceId: string,
): Promise<Buffer | undefined> {
  const key = artefactKey(organizationId, invoiceId, 'signedXml')
  return recentXml.get(key) ?? (await objects.get(key))?.bytes
}

/** `undefined` for an unsigned invoice. Throws when the XML may be found later. */
export async function requireSignedXml(
  archive: Archive,
  invoice: Invoice,
  sent: Buffer | undefined,
): Promise<Buffer | undefined> {
  const found = await findSignedXml(archive, invoice, sent)
  if (!found && invoice.xmlSha256 !== undefined) throw unavailable('The signed XML')
  return found
}

/** For a PDF that is not stored: it is also drawn without its original. */
export async function findSignedXmlIfThere(
  archive: Archive,
  invoice: Invoice,
  sent: Buffer | undefined,
): Promise<Buffer | undefined> {
  try {
    return await findSignedXml(archive, invoice, sent)
  } catch (error) {
    if (error instanceof ApiError && error.code === 'SERVICE_UNAVAILABLE') return undefined
    throw error
  }
}

async function findSignedXml(
  archive: Archive,
  { id, organizationId, xmlSha256 }: Invoice,
  sent: Buffer | undefined,
): Promise<Buffer | undefined> {
  if (xmlSha256 === undefined) return undefined
  const stored = sent ?? (await readArchivedXml(archive, organizationId, id))
  if (stored && sha256Hex(stored) !== xmlSha256) {
    throw new Error(`the signed XML of invoice ${id} does not have the SHA-256 of the invoice`)
  }
  return stored
}
