import { callerOrganization } from '@einvoicing/rpc/caller'
import type { Call } from '@einvoicing/rpc/call'
import type { InvoiceArtefactsRequest } from '@einvoicing/proto/artefacts'
import type { Invoice } from '@einvoicing/proto/invoice'

/** Throws for an invoice of another organization: a defect of the caller. */
export function requireOwnInvoice({ invoice }: InvoiceArtefactsRequest, { caller }: Call): Invoice {
  if (!invoice) throw new Error(`${caller.service} requested artefacts without an invoice`)
  if (invoice.organizationId !== callerOrganization(caller)) {
    throw new Error(`${caller.service} sent another organization's invoice ${invoice.id}`)
  }
  return invoice
}
