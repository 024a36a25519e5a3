import { createHash } from 'node:crypto'
import { ApiError } from '@einvoicing/domain/api-error'
import type { FindDocumentProblem } from '@einvoicing/verification/audit/verify-chain'
import type { InvoiceStore } from '../store/store'

/** `undefined` when the archive has none; throws for a damaged document. */
export type ReadArchived = (
  organizationId: string,
  invoiceId: string,
) => Promise<Uint8Array | undefined>

/** Without `readArchived` the archive is not compared. */
export function documentCheck(
  store: Pick<InvoiceStore, 'get' | 'readXml'>,
  readArchived: ReadArchived | undefined,
): FindDocumentProblem {
  return async (organizationId, invoiceId, sha256) => {
    const stored = (await store.get(organizationId, invoiceId))?.xmlSha256
    if (stored !== sha256) {
      return `invoice ${invoiceId} has another signed XML in the store: ${stored ?? 'none'}`
    }
    const inline = await store.readXml(organizationId, invoiceId)
    if (inline) {
      const found = digest(inline)
      return found === sha256
        ? undefined
        : `the signed XML of invoice ${invoiceId} in the store has the SHA-256 ${found}`
    }
    return readArchived && findArchiveProblem(readArchived, { organizationId, invoiceId, sha256 })
  }
}

async function findArchiveProblem(
  readArchived: ReadArchived,
  { organizationId, invoiceId, sha256 }: Record<'organizationId' | 'invoiceId' | 'sha256', string>,
): Promise<string | undefined> {
  try {
    const bytes = await readArchived(organizationId, invoiceId)
    if (!bytes) return `the signed XML of invoice ${invoiceId} is not in the archive`
    const found = digest(bytes)
    if (found === sha256) return undefined
    return `the signed XML of invoice ${invoiceId} in the archive has the SHA-256 ${found}`
  } catch (error) {
    if (error instanceof ApiError) throw error
    return `the signed XML of invoice ${invoiceId} in the archive is damaged: ${(error as Error).message}`
  }
}

function digest(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex')
}
