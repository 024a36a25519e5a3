import { invoiceNotFound } from '@einvoicing/domain/api-error'
import { callerOrganization } from '@einvoicing/rpc/caller'
import type { Call } from '@einvoicing/rpc/call'
import type { Invoice } from '@einvoicing/proto/invoice'
import type { Empty } from '@einvoicing/proto/google/protobuf/empty'
import type { InvoiceId, UpdateInvoiceRequest } from '@einvoicing/proto/invoices'
import { auditEntry } from './audit'
import { changeInvoice, requireVersion } from './change-invoice'
import { resolveEdited } from './credit/references'
import { editDraft, readChanges } from './content'
import type { Deps } from './deps'
import { advance } from './lifecycle'
import { rejectOtherForms } from './number'

/** Throws VALIDATION_ERROR, INVOICE_NUMBER_EXISTS, INVOICE_NOT_FOUND, _NOT_EDITABLE, _CHANGED. */
export async function updateInvoice(
  deps: Deps,
  request: UpdateInvoiceRequest,
  { caller }: Call,
): Promise<Invoice> {
  const target = { organizationId: callerOrganization(caller), invoiceId: request.invoiceId }
  return changeInvoice(deps, target, async (seen) => {
    advance(seen, 'edit')
    requireVersion(seen, request.ifUpdatedAt)
    const { actor } = caller
    const changes = readChanges(request)
    const edited = {
      ...editDraft(seen, { issuer: request.issuer, changes }, deps.now()),
      editedBy: actor,
    }
    const invoice = edited.precedingInvoices
      ? await resolveEdited(deps, edited, { seen, changed: Object.keys(changes) })
      : edited
    if (invoice.invoiceNumber !== seen.invoiceNumber) await rejectOtherForms(deps, invoice)
    const { updatedAt: at, id: invoiceId } = invoice
    return { invoice, audit: auditEntry('invoice.updated', { at, actor, invoiceId }) }
  })
}

export async function checkEditable(
  { store }: Pick<Deps, 'store'>,
  { invoiceId }: InvoiceId,
  { caller }: Call,
): Promise<Empty> {
  const seen = await store.get(callerOrganization(caller), invoiceId)
  if (!seen) throw invoiceNotFound()
  advance(seen, 'edit')
  return {}
}
