import { BatchesService } from '@einvoicing/proto/batches'
import { InvoicesService } from '@einvoicing/proto/invoices'
import { SignerService } from '@einvoicing/proto/signer'

/** Names by path. */
export const batchesMethods: ReadonlyMap<string, string> = new Map(
  Object.entries(BatchesService).map(([name, { path }]) => [path, name]),
)

/** Many of these wait at once under load. */
export const batchedPaths: ReadonlySet<string> = new Set([
  InvoicesService.createInvoice.path,
  InvoicesService.getInvoice.path,
  InvoicesService.readSignedXml.path,
  SignerService.signDocument.path,
])
