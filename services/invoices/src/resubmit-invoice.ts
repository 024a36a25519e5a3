/**
 * `POST /v1/invoices/:id/resubmit`: a FAILED invoice begins a new attempt at clearance, with the
 * same document.
 */

import { callerOrganization } from '@einvoicing/rpc/caller'
import type { Call } from '@einvoicing/rpc/call'
import type { Invoice } from '@einvoicing/proto/invoice'
import type { InvoiceId } from '@einvoicing/proto/invoices'
import { auditEntry } from './audit'
import { changeInvoice, changeMoment } from './change-invoice'
import type { Deps } from './deps'
import { advance } from './lifecycle'
import { originOf } from './origin'
import { signedEvent } from './signed-event'

const noDecision = {
  dgiErrorCode: undefined,
  dgiErrorMessage: undefined,
  dgiSubmittedAt: undefined,
}

/** INVOICE_NOT_FOUND, INVOICE_NOT_RESUBMITTABLE. */
export async function resubmitInvoice(
  deps: Deps,
  { invoiceId }: InvoiceId,
  call: Call,
): Promise<Invoice> {
  const organizationId = callerOrganization(call.caller)
  return changeInvoice(deps, { organizationId, invoiceId }, (seen) => {
    const status = advance(seen.status, 'resubmit')
    const at = changeMoment(deps.now(), seen)
    const { dgiErrorCode, dgiErrorMessage } = seen
    const invoice: Invoice = {
      ...seen,
      ...noDecision,
      status,
      clearanceStartedAt: at,
      updatedAt: at,
      origin: originOf(call),
    }
    const audit = auditEntry('invoice.resubmitted', {
      at,
      actor: call.caller.actor,
      invoiceId,
      from: seen.status,
      to: status,
      detail: `${dgiErrorCode}: ${dgiErrorMessage}`,
    })
    return { invoice, audit, fact: signedEvent(invoice) }
  })
}
