import { callerOrganization } from '@einvoicing/rpc/caller'
import type { Call } from '@einvoicing/rpc/call'
import type { Invoice } from '@einvoicing/proto/invoice'
import type { SignInvoiceRequest } from '@einvoicing/proto/invoices'
import { auditEntry, describeElsewhere } from './audit'
import { changeInvoice, changeMoment, requireVersion } from './change-invoice'
import { assertContent } from './content'
import { commitCredit, computeCredits, requireTurn } from './credit/commit-credit'
import { resolveReferences } from './credit/references'
import type { Deps } from './deps'
import { advance } from './lifecycle'
import { rejectUnreadableNumber } from './number'
import { toOrigin } from './origin'
import { requireReadyIssuer, signInvoice } from './sign'
import { signedEvent } from './signed-event'
import type { Write } from './store/store'
import { assertPayable } from './totals'

/** Throws the errors of `createInvoice` and of `updateInvoice`. */
export async function signDraft(
  deps: Deps,
  { invoiceId, issuer, ifUpdatedAt }: SignInvoiceRequest,
  call: Call,
): Promise<Invoice> {
  const organizationId = callerOrganization(call.caller)
  const commit = async (seen: Invoice, write: Write) => {
    if (seen.type !== 'CREDIT_NOTE') return deps.store.change(seen, write)
    committed = await commitCredit(deps, { seen, write }, call)
    return committed ? 'changed' : 'moved'
  }
  let committed: Invoice | undefined
  const plan = async (stored: Invoice) => {
    advance(stored, 'sign')
    requireVersion(stored, ifUpdatedAt)
    const seen = await checkStored(deps, stored)
    requireReadyIssuer(issuer)
    rejectUnreadableNumber(seen)
    const updatedAt = changeMoment(deps.now(), seen)
    const draft = { ...seen, issuer: issuer?.mentions, updatedAt, origin: toOrigin(call) }
    if (seen.type === 'CREDIT_NOTE') await requireTurn(draft)
    const { invoice, xml } = await signInvoice(deps, draft, call)
    const audit = auditEntry('invoice.signed', {
      at: updatedAt,
      actor: call.caller.actor,
      invoiceId,
      from: seen.status,
      to: invoice.status,
      documentSha256: invoice.xmlSha256,
      ...describeElsewhere(invoice),
    })
    return { invoice, xml, audit, event: signedEvent(invoice), work: 'signed-xml' } as const
  }
  const signed = await changeInvoice(deps, { organizationId, invoiceId, commit }, plan)
  return committed ?? signed
}

/** References may have changed since the draft was written. */
async function checkStored(deps: Deps, draft: Invoice): Promise<Invoice> {
  assertPayable(draft)
  if (!draft.precedingInvoices) {
    assertContent(draft, deps.now())
    return draft
  }
  const { content, originals } = await resolveReferences(deps, draft)
  if (draft.type === 'CREDIT_NOTE') await computeCredits(deps, content, originals)
  return content
}
