import { callerOrganization } from '@einvoicing/rpc/caller'
import type { Call } from '@einvoicing/rpc/call'
import type { Invoice } from '@einvoicing/proto/invoice'
import type { CreateInvoiceRequest } from '@einvoicing/proto/invoices'
import { draftInvoice } from './content'
import { checkContent } from './credit/references'
import type { Deps } from './deps'
import { toOrigin } from './origin'

/** Stores nothing. Throws VALIDATION_ERROR. */
export async function previewInvoice(
  deps: Pick<Deps, 'now' | 'newInvoiceId' | 'store'>,
  { issuer, content, newerContent }: CreateInvoiceRequest,
  call: Call,
): Promise<Invoice> {
  const sent = content ?? newerContent
  const mentions = issuer?.mentions
  if (!sent || !mentions) throw new Error('preview without content or issuer')
  const organizationId = callerOrganization(call.caller)
  const checked = await checkContent(deps, organizationId, sent)
  return draftInvoice(checked.content, mentions, {
    id: deps.newInvoiceId(),
    organizationId,
    createdAt: deps.now().toISOString(),
    origin: toOrigin(call),
  })
}
