import type { Service, Call } from '@einvoicing/rpc/call'
import type { InvoicesService } from '@einvoicing/proto/invoices'
import type { OrganizationsService } from '@einvoicing/proto/organizations'
import type { Check } from '@einvoicing/verification/verify/signature'
import type { Report } from '@einvoicing/verification/verify/report'
import { minorUnitsPerUnit } from '../invoices/present'
import { sumCredits } from '../invoices/present-amounts'
import type { Verification } from './worker'

export interface HeldDeps {
  organizations: Service<OrganizationsService>
  invoices: Service<InvoicesService>
}

export interface Held {
  isHeld: boolean
  /** The file is the original, byte for byte. */
  sameBytes: boolean
  sha256: string | null
  status: string | null
  dgiReference: string | null
  /** In the currency of the invoice. */
  creditedTtc: number | null
}

/**
 * `undefined` unless we signed it: only who has the document may learn what became of it. Also if
 * too many claim its ICE to ask them all: that others do must not make a document invalid.
 */
export async function findHeld(
  { organizations, invoices }: HeldDeps,
  { report, sha256 }: Verification,
  call: Call,
): Promise<Held | undefined> {
  const { invoice, signatureValue } = report
  if (!isProven(report) || !invoice?.invoiceNumber || !signatureValue) return undefined
  const { issuerIce: ice, invoiceNumber } = invoice
  const { organizationIds, more } = await organizations.findIssuers({ ice: ice ?? '' }, call)
  for (const organizationId of organizationIds) {
    const found = await invoices.findSignedInvoice(
      { invoiceNumber, signatureValue },
      { ...call, caller: { service: 'gateway', actor: call.caller.actor, organizationId } },
    )
    if (!found.invoice) continue
    const { status, dgiReference = null, credits, currency } = found.invoice
    const original = found.sha256 ?? null
    return {
      isHeld: true,
      sameBytes: original === sha256,
      sha256: original,
      status,
      dgiReference,
      creditedTtc: sumCredits(credits?.items ?? []) / minorUnitsPerUnit(currency),
    }
  }
  if (more) return undefined
  return {
    isHeld: false,
    sameBytes: false,
    sha256: null,
    status: null,
    dgiReference: null,
    creditedTtc: null,
  }
}

const proving: readonly Check['name'][] = ['document', 'signedProperties', 'signature']

function isProven({ checks, signer }: Report): boolean {
  const passes = (name: Check['name']) => checks.some((check) => check.name === name && check.ok)
  return signer?.trusted === true && proving.every(passes)
}
