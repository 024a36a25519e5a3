import { serviceCaller } from '@einvoicing/rpc/caller'
import { createHash } from 'node:crypto'
import { deadlinesMs } from '@einvoicing/domain/limits'
import type { Log } from '@einvoicing/runtime/log'
import { ApiError } from '@einvoicing/domain/api-error'
import type { Service } from '@einvoicing/rpc/call'
import { toLogIds } from '@einvoicing/runtime/trace'
import type { InvoicesService } from '@einvoicing/proto/invoices'
import type { Cause } from './events'

export type InvoicesReader = Pick<Service<InvoicesService>, 'readSignedXml'>

/** `undefined` without such an invoice; throws when the invoices service is unavailable. */
export type ReadSignedXml = (cause: Cause) => Promise<SignedXml | Unreadable | undefined>

export interface SignedXml {
  xml: Uint8Array
  /** No process read the invoice to send it before. */
  neverSent: boolean
}

/** Lost or damaged; the platform may have it. */
export interface Unreadable {
  kind: 'unreadable'
  reason: string
  neverSent: false
}

export interface SignedXmlDeps {
  invoices: InvoicesReader
  log: Log
  /** Called when creations keep the invoices service busy. */
  onBusy: () => void
}

export function readSignedXmlFrom({ invoices, log, onBusy }: SignedXmlDeps): ReadSignedXml {
  return async ({ signed, span }) => {
    const { subject: invoiceId, organizationid: organizationId, id, requestid = id } = signed
    try {
      const { xml, neverSent, busy } = await invoices.readSignedXml(
        { invoiceId, toSubmit: true },
        {
          caller: serviceCaller('clearance', organizationId),
          requestId: requestid,
          span,
          deadline: Date.now() + deadlinesMs.rpc,
        },
      )
      if (busy) onBusy()
      assertSigned(xml, signed)
      return { xml, neverSent }
    } catch (error) {
      if (isLasting(error)) return { kind: 'unreadable', reason: String(error), neverSent: false }
      if (!(error instanceof ApiError) || error.code !== 'INVOICE_NOT_FOUND') throw error
      const ids = toLogIds({ requestId: requestid, span })
      log.warn({ ...ids, invoiceId, code: error.code }, 'invoice not found, event dropped')
      return undefined
    }
  }
}

function isLasting(error: unknown): boolean {
  return !(error instanceof ApiError) || error.code === 'ARTEFACT_NOT_AVAILABLE'
}

function assertSigned(xml: Uint8Array, { subject, data }: Cause['signed']): void {
  const sha256 = createHash('sha256').update(xml).digest('hex')
  if (sha256 === data.xmlSha256) return
  throw new Error(
    `the XML of invoice ${subject} has SHA-256 ${sha256}, signed was ${data.xmlSha256}`,
  )
}
