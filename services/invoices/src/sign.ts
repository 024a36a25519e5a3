import { nextCall, type Call } from '@einvoicing/rpc/call'
import { inSpan } from '@einvoicing/runtime/trace'
import type { Invoice } from '@einvoicing/proto/invoice'
import type { Issuer } from '@einvoicing/proto/invoices'
import type { Deps } from './deps'
import { advance } from './lifecycle'
import { missingLegalMentions } from '@einvoicing/domain/invoice-errors'

const signDeadlineMs = 8_000

export interface Signed {
  invoice: Invoice
  xml: Uint8Array
}

export async function signInvoice(
  { signer }: Pick<Deps, 'signer'>,
  draft: Invoice,
  call: Call,
): Promise<Signed> {
  const status = advance(draft.status, 'sign')
  const attributes = { 'einvoicing.invoice.id': draft.id }
  const document = await inSpan(call.span, { name: 'SIGNING', attributes }, (span) =>
    signer.signDocument(
      { invoice: draft },
      nextCall({ ...call, span }, 'invoices', signDeadlineMs),
    ),
  )
  return {
    invoice: {
      ...draft,
      status,
      signedAt: document.signedAt,
      xmlSha256: document.sha256,
      clearanceStartedAt: document.signedAt,
    },
    xml: document.xml,
  }
}

export function refuseMissingMentions(issuer: Issuer | undefined): void {
  const missing = issuer?.missing ?? ['name']
  if (missing.length === 0) return
  throw missingLegalMentions(missing)
}
