import { callerOrganization } from '@einvoicing/rpc/caller'
import type { Call } from '@einvoicing/rpc/call'
import type { CreateInvoiceRequest } from '@einvoicing/proto/invoices'
import { inSpan } from '@einvoicing/runtime/trace'
import { draftInvoice } from './content'
import { checkContent } from './credit/references'
import type { Deps } from './deps'
import { toOrigin } from './origin'

/** The invoice with its totals, and what it refers to; stores nothing. Throws VALIDATION_ERROR. */
export async function prepareInvoice(
  deps: Pick<Deps, 'now' | 'newInvoiceId' | 'store'>,
  { issuer, content, newerContent }: CreateInvoiceRequest,
  call: Call,
) {
  const sent = content ?? newerContent
  const mentions = issuer?.mentions
  if (!sent || !mentions) throw new Error('an invoice without content or issuer')
  const createdAt = deps.now().toISOString()
  const organizationId = callerOrganization(call.caller)
  const checked = await checkContent(deps, organizationId, sent)
  const id = deps.newInvoiceId()
  const attributes = { 'einvoicing.invoice.id': id }
  const invoice = inSpan(call.span, { name: 'NORMALIZING', attributes }, () =>
    draftInvoice(checked.content, mentions, {
      id,
      organizationId,
      createdAt,
      origin: toOrigin(call),
    }),
  )
  return { invoice, originals: checked.originals }
}

export type PreparedInvoice = Awaited<ReturnType<typeof prepareInvoice>>
