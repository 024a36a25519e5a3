/** Requests that carry an invoice. */

import { callerOrganization } from '@einvoicing/rpc/caller'
import type { Call } from '@einvoicing/rpc/call'
import type { InvoiceArtefactsRequest } from '@einvoicing/proto/artefacts'
import type { Invoice } from '@einvoicing/proto/invoice'

/**
 * The invoice of a request, which must be the calling organization's: another's is a defect of the
 * caller.
 */
export function requireOwnInvoice({ invoice }: InvoiceArtefactsRequest, { caller }: Call): Invoice {
  if (!invoice) throw new Error(`${caller.service} asked for artefacts without an invoice`)
  if (invoice.organizationId !== callerOrganization(caller)) {
    throw new Error(`${caller.service} brought another organization's invoice ${invoice.id}`)
  }
  return invoice
}
