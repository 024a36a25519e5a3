import { callerOrganization } from '@einvoicing/rpc/caller'
import type { Call } from '@einvoicing/rpc/call'
import type { Invoice } from '@einvoicing/proto/invoice'
import type { InvoiceId } from '@einvoicing/proto/invoices'
import { precedingInvoiceRejected } from '@einvoicing/domain/invoice-errors'
import { auditEntry } from './audit'
import { changeInvoice, changeMoment } from './change-invoice'
import { isNeverSent } from '@einvoicing/domain/creditable'
import type { Deps } from './deps'
import { advance } from './lifecycle'
import { toOrigin } from './origin'
import { signedEvent } from './signed-event'

const noDecision = {
  dgiErrorCode: undefined,
  dgiErrorMessage: undefined,
  dgiSubmittedAt: undefined,
}

export async function resubmitInvoice(
  deps: Deps,
  { invoiceId }: InvoiceId,
  call: Call,
): Promise<Invoice> {
  const organizationId = callerOrganization(call.caller)
  return changeInvoice(deps, { organizationId, invoiceId }, (seen) => {
    const status = advance(seen, 'resubmit')
    if (isNeverSent(seen)) throw precedingInvoiceRejected()
    const at = changeMoment(deps.now(), seen)
    const { dgiErrorCode, dgiErrorMessage } = seen
    const invoice: Invoice = {
      ...seen,
      ...noDecision,
      status,
      clearanceStartedAt: at,
      updatedAt: at,
      origin: toOrigin(call),
    }
    const audit = auditEntry('invoice.resubmitted', {
      at,
      actor: call.caller.actor,
      invoiceId,
      from: seen.status,
      to: status,
      detail: `${dgiErrorCode}: ${dgiErrorMessage}`,
    })
    return { invoice, audit, event: signedEvent(invoice) }
  })
}
