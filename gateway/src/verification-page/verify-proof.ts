import { ApiError } from '@einvoicing/domain/api-error'
import type { Call, Service } from '@einvoicing/rpc/call'
import type { ArtefactsService } from '@einvoicing/proto/artefacts'
import type { Invoice } from '@einvoicing/proto/invoice'
import type { InvoicesService, SignedXml } from '@einvoicing/proto/invoices'
import type { Clock } from '@einvoicing/runtime/clock'
import type { Report } from '@einvoicing/verification/verify/report'
import { verifyWithTrust } from '../verification/verify-with-trust'
import type { VerificationThreads } from '../verification/verification-threads'
import { hasProof } from './shown-document'

export interface ProofDeps {
  invoices: Service<InvoicesService>
  artefacts: Service<ArtefactsService>
  threads: VerificationThreads
  now: Clock
}

/** The original with the best evidence available. */
export function readProof(
  { invoices }: Pick<ProofDeps, 'invoices'>,
  invoice: Invoice,
  call: Call,
): Promise<SignedXml> {
  const level = hasProof(invoice) ? 'T' : undefined
  return invoices.readSignedXml({ invoiceId: invoice.id, toSubmit: false, level }, call)
}

/** `undefined` when it cannot be verified now: the rest of the page does not depend on it. */
export async function verifyProof(
  deps: ProofDeps,
  invoice: Invoice,
  call: Call,
): Promise<Report | undefined> {
  try {
    const { xml } = await readProof(deps, invoice, call)
    const { report } = await verifyWithTrust(deps, xml, call)
    return report
  } catch (error) {
    if (error instanceof ApiError) return undefined
    throw error
  }
}
