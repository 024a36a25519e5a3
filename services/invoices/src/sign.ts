import { unavailable } from '@einvoicing/domain/api-error'
import { organizationNotApproved, toApproval } from '@einvoicing/domain/approval'
import { readKind } from '@einvoicing/profile/document-kinds'
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
  const status = advance(draft, 'sign')
  const attributes = { 'einvoicing.invoice.id': draft.id }
  const document = await inSpan(call.span, { name: 'SIGNING', attributes }, (span) =>
    signer.signDocument(
      { invoice: draft },
      nextCall(Object.assign({}, call, { span }), 'invoices', signDeadlineMs),
    ),
  )
  rejectOtherKind(draft, document.xml)
  const invoice = Object.assign({}, draft, {
    status,
    signedAt: document.signedAt,
    xmlSha256: document.sha256,
    clearanceStartedAt: document.signedAt,
  })
  return { invoice, xml: document.xml }
}

/** A signer of 0.1 writes every document as an invoice. */
function rejectOtherKind(draft: Invoice, xml: Uint8Array): void {
  if (draft.type === undefined) return
  const { root, typeCode } = readKind(draft)
  const bytes = Buffer.from(xml.buffer, xml.byteOffset, xml.length)
  if (bytes.includes(`<${root} `) && bytes.includes(`TypeCode>${typeCode}<`)) return
  throw unavailable('The signer', new Error(`it does not write documents of type ${draft.type}`))
}

/** Throws ORGANIZATION_NOT_APPROVED, MISSING_LEGAL_MENTIONS. */
export function requireReadyIssuer(issuer: Issuer | undefined): void {
  const approval = toApproval(issuer?.approval)
  if (approval !== 'APPROVED') throw organizationNotApproved(approval)
  const missing = issuer?.missing ?? ['name']
  if (missing.length === 0) return
  throw missingLegalMentions(missing)
}
