import { callerOrganization } from '@einvoicing/rpc/caller'
import type { Call } from '@einvoicing/rpc/call'
import type { Invoice } from '@einvoicing/proto/invoice'
import type { InvoiceId } from '@einvoicing/proto/invoices'
import { auditEntry } from './audit'
import { changeInvoice, changeMoment } from './change-invoice'
import type { Deps } from './deps'
import { advance } from './lifecycle'

export async function cancelInvoice(
  deps: Deps,
  { invoiceId }: InvoiceId,
  { caller }: Call,
): Promise<Invoice> {
  const organizationId = callerOrganization(caller)
  return changeInvoice(deps, { organizationId, invoiceId }, (seen) => {
    const status = advance(seen.status, 'cancel')
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
