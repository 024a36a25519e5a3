/** The invoice takes the issuer's current legal details. */

import { callerOrganization } from '@einvoicing/rpc/caller'
import type { Call } from '@einvoicing/rpc/call'
import type { Invoice } from '@einvoicing/proto/invoice'
import type { SignInvoiceRequest } from '@einvoicing/proto/invoices'
import { auditEntry } from './audit'
import { changeInvoice, changeMoment } from './change-invoice'
import { assertContent } from './content'
import type { Deps } from './deps'
import { advance } from './lifecycle'
import { refuseUnreadableNumber } from './number'
import { toOrigin } from './origin'
import { refuseMissingMentions, signInvoice } from './sign'
import { signedEvent } from './signed-event'

/**
 * Throws INVOICE_NOT_FOUND, INVOICE_NOT_EDITABLE, VALIDATION_ERROR, MISSING_LEGAL_MENTIONS,
 * SERVICE_UNAVAILABLE.
 */
export async function signDraft(
  deps: Deps,
  { invoiceId, issuer }: SignInvoiceRequest,
  call: Call,
): Promise<Invoice> {
  const organizationId = callerOrganization(call.caller)
  return changeInvoice(deps, { organizationId, invoiceId }, async (seen) => {
    advance(seen.status, 'sign')
    assertContent(seen, deps.now())
    refuseMissingMentions(issuer)
    refuseUnreadableNumber(seen)
    const updatedAt = changeMoment(deps.now(), seen)
    const draft = { ...seen, issuer: issuer?.mentions, updatedAt, origin: toOrigin(call) }
    const { invoice, xml } = await signInvoice(deps, draft, call)
    const audit = auditEntry('invoice.signed', {
      at: updatedAt,
      actor: call.caller.actor,
      invoiceId,
      from: seen.status,
      to: invoice.status,
    })
    return { invoice, xml, audit, event: signedEvent(invoice), archive: 'signed-xml' }
  })
}
