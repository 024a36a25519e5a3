/** One write after the signature: after any failure the same request can be sent again. */

import type { Call } from '@einvoicing/rpc/call'
import { inSpan } from '@einvoicing/runtime/trace'
import type { Invoice } from '@einvoicing/proto/invoice'
import type { CreateInvoiceRequest } from '@einvoicing/proto/invoices'
import { auditEntry, describeElsewhere } from './audit'
import { commitCredit, computeCredits, requireTurn } from './credit/commit-credit'
import type { Deps } from './deps'
import { rejectOtherForms, rejectTakenNumber } from './number'
import { numberExists } from '@einvoicing/domain/invoice-errors'
import { prepareInvoice, type PreparedInvoice } from './prepare-invoice'
import { requireReadyIssuer, signInvoice } from './sign'
import { signedEvent } from './signed-event'
import type { Write } from './store/store'

export async function createInvoice(
  deps: Deps,
  request: CreateInvoiceRequest,
  call: Call,
): Promise<Invoice> {
  const prepared = await prepareInvoice(deps, request, call)
  const { invoice } = prepared
  if (request.draft) return createDraft(deps, invoice, call)
  requireReadyIssuer(request.issuer)
  if (invoice.type === 'CREDIT_NOTE') return createCreditNote(deps, prepared, call)
  return createSigned(deps, invoice, call)
}

async function createDraft(deps: Deps, invoice: Invoice, call: Call): Promise<Invoice> {
  await rejectOtherForms(deps, invoice)
  return commit(deps, { invoice, audit: toCreated(invoice, call) }, call)
}

async function createSigned(deps: Deps, invoice: Invoice, call: Call): Promise<Invoice> {
  await rejectOtherForms(deps, invoice)
  return commit(deps, await signedWrite(deps, invoice, call), call)
}

/** Neither what has a taken number nor what exceeds an original is signed. */
async function createCreditNote(
  deps: Deps,
  { invoice, originals }: PreparedInvoice,
  call: Call,
): Promise<Invoice> {
  await rejectTakenNumber(deps, invoice)
  await computeCredits(deps, invoice, originals)
  await requireTurn(invoice)
  const write = await signedWrite(deps, invoice, call)
  const stored = await inCommitSpan(invoice, call, () =>
    commitCredit(deps, { seen: undefined, write }, call),
  )
  if (!stored) throw new Error('a credit note is not new')
  return stored
}

async function commit(deps: Deps, write: Write, call: Call): Promise<Invoice> {
  const { invoice } = write
  const outcome = await inCommitSpan(invoice, call, () => deps.store.create(write))
  if (outcome === 'number-taken') throw numberExists(invoice.invoiceNumber)
  return invoice
}

function inCommitSpan<T>({ id }: Invoice, { span }: Call, work: () => T): T {
  return inSpan(span, { name: 'commit', attributes: { 'einvoicing.invoice.id': id } }, work)
}

async function signedWrite(deps: Deps, draft: Invoice, call: Call): Promise<Write> {
  const { invoice, xml } = await signInvoice(deps, draft, call)
  return {
    invoice,
    xml,
    audit: toCreated(invoice, call),
    event: signedEvent(invoice),
    work: 'signed-xml',
  }
}

function toCreated(invoice: Invoice, { caller }: Call) {
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
