import { BatchesService } from '@einvoicing/proto/batches'

export const batchesPaths: ReadonlySet<string> = new Set(
  Object.values(BatchesService).map(({ path }) => path),
)

/** Many of these wait at once under load. */
export const batchedPaths: ReadonlySet<string> = new Set([
  '/einvoicing.Invoices/CreateInvoice',
  '/einvoicing.Invoices/GetInvoice',
  '/einvoicing.Invoices/ReadSignedXml',
  '/einvoicing.Signer/SignDocument',
])
