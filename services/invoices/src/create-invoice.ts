/** One write after the signature: after any failure the same request can be sent again. */

import { callerOrganization } from '@einvoicing/rpc/caller'
import type { Call } from '@einvoicing/rpc/call'
import { inSpan } from '@einvoicing/runtime/trace'
import type { Invoice } from '@einvoicing/proto/invoice'
import type { CreateInvoiceRequest } from '@einvoicing/proto/invoices'
import { auditEntry, describeElsewhere } from './audit'
import { draftInvoice } from './content'
import { commitCredit, computeCredits, requireTurn } from './credit/commit-credit'
import { checkContent } from './credit/references'
import type { Deps } from './deps'
import { toOrigin } from './origin'
import { rejectOtherForms, rejectTakenNumber } from './number'
import { numberExists } from '@einvoicing/domain/invoice-errors'
import { requireReadyIssuer, signInvoice } from './sign'
import { signedEvent } from './signed-event'
import type { Write } from './store/store'

export async function createInvoice(
  deps: Deps,
  request: CreateInvoiceRequest,
  call: Call,
): Promise<Invoice> {
  const { issuer, draft, content: sent = request.newerContent } = request
  const mentions = issuer?.mentions
  if (!sent || !mentions) throw new Error('creation without content or issuer')
  const now = deps.now()
  const organizationId = callerOrganization(call.caller)
  const { content, originals } = await checkContent(deps, organizationId, sent)

  const identity = {
    id: deps.newInvoiceId(),
    organizationId,
    createdAt: now.toISOString(),
    origin: toOrigin(call),
  }
  const attributes = { 'einvoicing.invoice.id': identity.id }
  const invoice = inSpan(call.span, { name: 'NORMALIZING', attributes }, () =>
    draftInvoice(content, mentions, identity),
  )
  if (!draft) requireReadyIssuer(issuer)
  const isCredit = invoice.type === 'CREDIT_NOTE'
  if (isCredit && !draft) {
    // Neither what has a taken number nor what exceeds an original is signed.
    await rejectTakenNumber(deps, invoice)
    await computeCredits(deps, invoice, originals)
    await requireTurn(invoice)
  } else await rejectOtherForms(deps, invoice)
  const write = draft
    ? { invoice, audit: created(invoice, call) }
    : await signedWrite(deps, invoice, call)
  if (isCredit && !draft) return commitNewCredit(deps, write, call)
  const outcome = await inSpan(call.span, { name: 'commit', attributes }, () =>
    deps.store.create(write),
  )
  if (outcome === 'number-taken') throw numberExists(content.invoiceNumber)
  return write.invoice
}

async function commitNewCredit(deps: Deps, write: Write, call: Call): Promise<Invoice> {
  const attributes = { 'einvoicing.invoice.id': write.invoice.id }
  const commit = () => commitCredit(deps, { seen: undefined, write }, call)
  const created = await inSpan(call.span, { name: 'commit', attributes }, commit)
  if (!created) throw new Error('a credit note is not new')
  return created
}

async function signedWrite(deps: Deps, draft: Invoice, call: Call): Promise<Write> {
  const { invoice, xml } = await signInvoice(deps, draft, call)
  return {
    invoice,
    xml,
    audit: created(invoice, call),
    event: signedEvent(invoice),
    work: 'signed-xml',
  }
}

function created(invoice: Invoice, { caller }: Call) {
  const { id, createdAt, status, xmlSha256: documentSha256 } = invoice
  const transition = {
    at: createdAt,
    actor: caller.actor,
    invoiceId: id,
    to: status,
    documentSha256,
  }
  return auditEntry('invoice.created', Object.assign({}, describeElsewhere(invoice), transition))
}
