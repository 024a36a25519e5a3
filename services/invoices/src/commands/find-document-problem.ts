import { createHash } from 'node:crypto'
import { ApiError } from '@einvoicing/domain/api-error'
import type { Invoice } from '@einvoicing/proto/invoice'
import type { FindDocumentProblem } from '@einvoicing/verification/audit/verify-chain'
import type { InvoiceStore } from '../store/store'

/** `undefined` when the archive has none; throws for a damaged document. */
export type ReadArchived = (
  organizationId: string,
  invoiceId: string,
) => Promise<Uint8Array | undefined>

export interface ArchiveCheck {
  /** Absent: the archive is not compared. */
  readArchived: ReadArchived | undefined
  mayBeMissing: (invoice: Invoice) => boolean
}

export function documentCheck(
  store: Pick<InvoiceStore, 'get' | 'readXml'>,
  { readArchived, mayBeMissing }: ArchiveCheck,
): FindDocumentProblem {
  return async (organizationId, invoiceId, sha256) => {
    const invoice = await store.get(organizationId, invoiceId)
    if (invoice?.xmlSha256 !== sha256) {
      const stored = invoice?.xmlSha256 ?? 'none'
      return `invoice ${invoiceId} has another signed XML in the store: ${stored}`
    }
    const inline = await store.readXml(organizationId, invoiceId)
    if (inline) {
      const found = digest(inline)
      return found === sha256
        ? undefined
        : `the signed XML of invoice ${invoiceId} in the store has the SHA-256 ${found}`
    }
    return (
      readArchived &&
      findArchiveProblem(() => readArchived(organizationId, invoiceId), {
        invoiceId,
        sha256,
        mayBeMissing: mayBeMissing(invoice),
      })
    )
  }
}

async function findArchiveProblem(
  read: () => Promise<Uint8Array | undefined>,
  document: { invoiceId: string; sha256: string; mayBeMissing: boolean },
): Promise<string | undefined> {
  const { invoiceId, sha256, mayBeMissing } = document
  try {
    const bytes = await read()
    if (!bytes && mayBeMissing) return undefined
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
