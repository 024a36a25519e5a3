import { callerOrganization } from '@einvoicing/rpc/caller'
import type { Call } from '@einvoicing/rpc/call'
import type { FindSignedInvoiceRequest, FoundInvoice, InvoiceId } from '@einvoicing/proto/invoices'
import { withCreditStatuses } from './credit/credit-statuses'
import type { Deps } from './deps'
import { listByNumber } from './number'
import { readSignedXml } from './read-signed-xml'

/** The signature proves that the caller has the document; the number alone does not. */
export async function findSignedInvoice(
  deps: Deps,
  request: FindSignedInvoiceRequest,
  call: Call,
): Promise<FoundInvoice> {
  const organizationId = callerOrganization(call.caller)
  for (const { id, xmlSha256 } of await listByNumber(deps, organizationId, request)) {
    if (xmlSha256 === undefined) continue
    const { xml, sha256 } = await readSignedXml(deps, { invoiceId: id, toSubmit: false }, call)
    if (!xml.includes(`<ds:SignatureValue>${request.signatureValue}</ds:SignatureValue>`)) continue
    return { invoice: await deps.store.get(organizationId, id), sha256 }
  }
  return {}
}

/** Of any organization: the caller has proved its right to read by the token. */
export async function findInvoice(
  { store }: Pick<Deps, 'store'>,
  { invoiceId }: InvoiceId,
): Promise<FoundInvoice> {
  const found = await store.find(invoiceId)
  if (!found) return {}
  const invoice = await withCreditStatuses(store, found)
  return { invoice, sha256: invoice.xmlSha256 }
}
