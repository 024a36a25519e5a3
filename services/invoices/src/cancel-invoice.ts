import { callerOrganization } from '@einvoicing/rpc/caller'
import type { Call } from '@einvoicing/rpc/call'
import type { Invoice } from '@einvoicing/proto/invoice'
import type { CancelInvoiceRequest } from '@einvoicing/proto/invoices'
import { auditEntry } from './audit'
import { changeInvoice, changeMoment, requireVersion } from './change-invoice'
import type { Deps } from './deps'
import { advance } from './lifecycle'

/** Throws INVOICE_NOT_FOUND, INVOICE_NOT_EDITABLE, INVOICE_CHANGED. */
export async function cancelInvoice(
  deps: Deps,
  { invoiceId, ifUpdatedAt }: CancelInvoiceRequest,
  { caller }: Call,
): Promise<Invoice> {
  const organizationId = callerOrganization(caller)
  return changeInvoice(deps, { organizationId, invoiceId }, (seen) => {
    const status = advance(seen, 'cancel')
    requireVersion(seen, ifUpdatedAt)
    const at = changeMoment(deps.now(), seen)
    return {
      invoice: { ...seen, status, updatedAt: at },
      audit: auditEntry('invoice.cancelled', {
        at,
        actor: caller.actor,
        invoiceId,
        from: seen.status,
        to: status,
      }),
    }
  })
}
