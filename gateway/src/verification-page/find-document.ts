import { readVerificationToken } from '@einvoicing/access/verification-token'
import type { Call, Service } from '@einvoicing/rpc/call'
import type { Invoice } from '@einvoicing/proto/invoice'
import type { InvoicesService } from '@einvoicing/proto/invoices'
import type { PageAddresses } from '../invoices/page-addresses'

const noInvoice = '00000000-0000-0000-0000-000000000000'

/** `undefined` for a wrong token as for an unknown one, after the same look-up. */
export async function findDocument(
  { keys }: PageAddresses,
  invoices: Service<InvoicesService>,
  { token, call }: { token: string; call: Call },
): Promise<Invoice | undefined> {
  if (!keys) return undefined
  const invoiceId = readVerificationToken(token, keys) ?? noInvoice
  const { invoice } = await invoices.findInvoice({ invoiceId }, call)
  return invoice?.xmlSha256 === undefined ? undefined : invoice
}

/** On behalf of the document's organization. */
export function callFor({ organizationId }: Invoice, call: Call): Call {
  return { ...call, caller: { ...call.caller, organizationId } }
}
