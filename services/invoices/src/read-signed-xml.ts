import { callerOrganization } from '@einvoicing/rpc/caller'
import { invoiceNotFound, ApiError } from '@einvoicing/domain/api-error'
import { nextCall, type Call } from '@einvoicing/rpc/call'
import type { Invoice } from '@einvoicing/proto/invoice'
import type { ReadSignedXmlRequest, SignedXml } from '@einvoicing/proto/invoices'
import type { Deps } from './deps'

const readDeadlineMs = 8_000

/** INVOICE_NOT_FOUND, ARTEFACT_NOT_AVAILABLE. */
export async function readSignedXml(
  deps: Deps,
  { invoiceId, toSubmit }: ReadSignedXmlRequest,
  call: Call,
): Promise<SignedXml> {
  const { store } = deps
  const organizationId = callerOrganization(call.caller)
  const invoice = await store.get(organizationId, invoiceId)
  if (!invoice) throw invoiceNotFound()
  if (invoice.xmlSha256 === undefined) {
    throw new ApiError(
      'ARTEFACT_NOT_AVAILABLE',
      `This invoice is ${invoice.status}: it has no signed XML. ${invoice.status === 'PENDING' ? 'Sign it with POST /v1/invoices/:id/sign.' : 'It was cancelled before it was signed.'}`,
    )
  }
  const original = await readOriginal(deps, invoice, call)
  // Last, so that a failed read does not use up the mark.
  const neverSent = toSubmit && (await store.takeNeverSent(organizationId, invoiceId))
  return { ...original, neverSent }
}

async function readOriginal(
  { store, artefacts }: Deps,
  { organizationId, id: invoiceId, xmlSha256 = '' }: Invoice,
  call: Call,
): Promise<Pick<SignedXml, 'xml' | 'sha256'>> {
  const inline = await store.readXml(organizationId, invoiceId)
  if (inline) return { xml: Buffer.from(inline), sha256: xmlSha256 }
  const stored = await artefacts.readKeptXml(
    { invoiceId },
    nextCall(call, 'invoices', readDeadlineMs),
  )
  return { xml: stored.content, sha256: stored.sha256 }
}
