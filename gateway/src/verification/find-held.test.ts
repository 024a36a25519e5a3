/** Which organizations are asked for a document, when many claim the ICE that it bears. */

import { InvoiceStatus } from '@einvoicing/proto/invoice'
import type { Call } from '@einvoicing/rpc/call'
import type { Report } from '@einvoicing/verification/verify/report'
import { smallInvoices, smallOrganizations } from '../testdata/small-services'
import { findHeld } from './find-held'

const check = (name: string) => ({ name, ok: true })
const report = {
  checks: ['document', 'signedProperties', 'signature'].map(check),
  signer: { trusted: true },
  invoice: { issuerIce: '001525714000070', invoiceNumber: 'F-1' },
  signatureValue: 'c2lnbmF0dXJl',
} as unknown as Report
const call: Call = {
  caller: { service: 'gateway', actor: 'service:gateway' },
  requestId: 'r',
  deadline: Date.now() + 60_000,
}

function find(count: number, { issuer, more }: { issuer?: string; more?: boolean } = {}) {
  const organizationIds = Array.from({ length: count }, (_, at) => `organization ${at}`)
  const [invoice] = [{ currency: 'MAD', status: InvoiceStatus.ACCEPTED }] as never[]
  const deps = {
    organizations: {
      ...smallOrganizations(),
      findIssuers: async () => ({ organizationIds, ...(more && { more }) }),
    },
    invoices: {
      ...smallInvoices(),
      findSignedInvoice: async (_: unknown, { caller }: Call) =>
        caller.organizationId === issuer ? { invoice, sha256: 'a' } : {},
    },
  }
  return findHeld(deps, { report, sha256: 'a' }, call)
}

it('the last of those that claim the ICE is asked too', async () => {
  expect(await find(26, { issuer: 'organization 25', more: true })).toMatchObject({
    isHeld: true,
    sameBytes: true,
    status: InvoiceStatus.ACCEPTED,
  })
})

it('a document that none of all stores is not held', async () => {
  expect(await find(26, { issuer: 'another' })).toMatchObject({ isHeld: false })
})

it('where not all could be asked, it is unknown whether it is held', async () => {
  expect(await find(26, { issuer: 'another', more: true })).toBeUndefined()
})
