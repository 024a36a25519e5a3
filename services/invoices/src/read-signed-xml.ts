import { createHash } from 'node:crypto'
import { isAtLeast, nameLevel, type SignatureLevel } from '@einvoicing/domain/signature-level'
import { appendEvidence } from '@einvoicing/verification/evidence'
import { callerOrganization } from '@einvoicing/rpc/caller'
import { invoiceNotFound, ApiError } from '@einvoicing/domain/api-error'
import { nextCall, type Call } from '@einvoicing/rpc/call'
import type { Invoice } from '@einvoicing/proto/invoice'
import type { ReadSignedXmlRequest, SignedXml } from '@einvoicing/proto/invoices'
import type { Deps } from './deps'

const readDeadlineMs = 8_000

export async function readSignedXml(
  deps: Deps,
  { invoiceId, toSubmit, unlessArchived, level }: ReadSignedXmlRequest,
  call: Call,
): Promise<SignedXml> {
  const { store } = deps
  const organizationId = callerOrganization(call.caller)
  const invoice = await store.getWithoutLines(organizationId, invoiceId)
  if (!invoice) throw invoiceNotFound()
  if (invoice.xmlSha256 === undefined) {
    throw new ApiError(
      'ARTEFACT_NOT_AVAILABLE',
      `This invoice is ${invoice.status}: it has no signed XML. ${invoice.status === 'PENDING' ? 'Sign it with POST /v1/invoices/:id/sign.' : 'It was cancelled before it was signed.'}`,
    )
  }
  if (level !== undefined) return readWithEvidence(deps, invoice, { level, call })
  const inline = await readInline(deps, invoice)
  const original =
    inline ?? (unlessArchived ? notHere(invoice) : await readArchived(deps, invoice, call))
  // Last, so that a failed read does not use up the mark.
  const neverSent = toSubmit && (await store.takeNeverSent(organizationId, invoiceId))
  return Object.assign({}, original, { neverSent })
}

type Original = Pick<SignedXml, 'xml' | 'sha256'>

async function readInline({ store }: Deps, invoice: Invoice): Promise<Original | undefined> {
  const { organizationId, id, xmlSha256 = '' } = invoice
  const inline = await store.readXml(organizationId, id)
  return inline ? { xml: Buffer.from(inline), sha256: xmlSha256 } : undefined
}

function notHere({ xmlSha256 = '' }: Invoice): Original {
  return { xml: Buffer.alloc(0), sha256: xmlSha256 }
}

async function readArchived(
  { artefacts }: Deps,
  { id: invoiceId }: Invoice,
  call: Call,
): Promise<Original> {
  const stored = await artefacts.readKeptXml(
    { invoiceId },
    nextCall(call, 'invoices', readDeadlineMs),
  )
  return { xml: stored.content, sha256: stored.sha256 }
}

interface WithEvidence {
  level: string
  call: Call
}

/** The best available, of at least that level. */
async function readWithEvidence(
  deps: Deps,
  invoice: Invoice,
  { level, call }: WithEvidence,
): Promise<SignedXml> {
  const { organizationId, id: invoiceId } = invoice
  const evidence = await deps.store.readEvidence(organizationId, invoiceId)
  const reached = evidence?.level ?? nameLevel('B')
  if (!evidence || !isAtLeast(reached, level as SignatureLevel)) {
    throw new ApiError(
      'ARTEFACT_NOT_AVAILABLE',
      `The signature of this invoice has the level ${reached} so far. Level T usually follows within a minute of signing. Levels LT and LTA follow when the authorities have published their next revocation data, if this service adds evidence of that level.`,
    )
  }
  if (!evidence.token) {
    const request = { invoiceId, artefact: evidence.artefact }
    const readCall = nextCall(call, 'invoices', readDeadlineMs)
    const { content, sha256 } = await deps.artefacts.readEvidence(request, readCall)
    return { xml: content, sha256, neverSent: false, level: reached }
  }
  const { xml: original } =
    (await readInline(deps, invoice)) ?? (await readArchived(deps, invoice, call))
  const token = Buffer.from(evidence.token)
  const xml = appendEvidence(original, [{ kind: 'signatureTimeStamp', token }])
  const sha256 = createHash('sha256').update(xml).digest('hex')
  return { xml, sha256, neverSent: false, level: reached }
}
