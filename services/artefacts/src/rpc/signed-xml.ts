import { ApiError, unavailable } from '@einvoicing/domain/api-error'
import type { Invoice } from '@einvoicing/proto/invoice'
import { artefactKey } from '../artefact'
import { sha256Hex } from '../objects/digest'
import type { Objects } from '../objects/objects'

interface Archive {
  objects: Objects
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
  { objects }: Archive,
  { id, organizationId, xmlSha256 }: Invoice,
  sent: Buffer | undefined,
): Promise<Buffer | undefined> {
  if (xmlSha256 === undefined) return undefined
  const stored = sent ?? (await objects.get(artefactKey(organizationId, id, 'signedXml')))?.bytes
  if (stored && sha256Hex(stored) !== xmlSha256) {
    throw new Error(`the signed XML of invoice ${id} does not have the SHA-256 of the invoice`)
  }
  return stored
}
