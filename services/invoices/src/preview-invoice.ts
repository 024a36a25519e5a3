import type { Call } from '@einvoicing/rpc/call'
import type { Invoice } from '@einvoicing/proto/invoice'
import type { CreateInvoiceRequest } from '@einvoicing/proto/invoices'
import type { Deps } from './deps'
import { prepareInvoice } from './prepare-invoice'

/** Stores nothing. Throws VALIDATION_ERROR. */
export async function previewInvoice(
  deps: Pick<Deps, 'now' | 'newInvoiceId' | 'store'>,
  request: CreateInvoiceRequest,
  call: Call,
): Promise<Invoice> {
  return (await prepareInvoice(deps, request, call)).invoice
}
