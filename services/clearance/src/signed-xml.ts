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

/** `undefined` when there is nothing to send; throws when the invoices service is unavailable. */
export type ReadSignedXml = (cause: Cause) => Promise<SignedXml | undefined>

export interface SignedXml {
  xml: Uint8Array
  /** No process read the invoice to send it before. */
  neverSent: boolean
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
      if (!(error instanceof ApiError) || !nothingToSend.includes(error.code)) throw error
      const ids = toLogIds({ requestId: requestid, span })
      log.warn(
        { ...ids, invoiceId, code: error.code },
        'no signed XML to send to the platform, event dropped',
      )
      return undefined
    }
  }
}

const nothingToSend = ['INVOICE_NOT_FOUND', 'ARTEFACT_NOT_AVAILABLE']

function assertSigned(xml: Uint8Array, { subject, data }: Cause['signed']): void {
  const sha256 = createHash('sha256').update(xml).digest('hex')
  if (sha256 === data.xmlSha256) return
  throw new Error(
    `the XML of invoice ${subject} has SHA-256 ${sha256}, signed was ${data.xmlSha256}`,
  )
}
