/** A decision of the authority that comes after clearance was given up. */

import { createLog } from '@einvoicing/runtime/log'
import type { Invoice } from '@einvoicing/proto/invoice'
import { recordAccepted, recordFailed, recordRejected } from './record-clearance'
import type { InvoiceStore, Write } from './store/store'
import { anInvoice } from './store/testdata/invoices'

const now = () => new Date('2026-06-01T00:00:00.000Z')
const decidedAt = '2026-05-31T10:00:00.000Z'

function openStore(invoice: Invoice) {
  const writes: Write[] = []
  const store = {
    get: async () => writes.at(-1)?.invoice ?? invoice,
    change: async (_seen: Invoice, write: Write) => {
      writes.push(write)
      return 'changed'
    },
  } as unknown as InvoiceStore
  return { deps: { store, now, log: createLog('silent') }, writes }
}

const failed = (fields: Partial<Invoice> = {}) =>
  anInvoice({
    status: 'FAILED',
    dgiErrorCode: 'AUTHORITY_UNREACHABLE',
    dgiErrorMessage: 'No answer.',
    ...fields,
  })

const event = (invoice: Invoice, type: string, data: object) =>
  ({ type, subject: invoice.id, organizationid: invoice.organizationId, data }) as never

const accepted = {
  submissionId: 's',
  reference: 'DGI-1',
  qrCode: 'http://x',
  qrPayload: 'p',
  decidedAt,
  answer: '{"status":"ACCEPTED"}',
}
const rejected = {
  submissionId: 's',
  errorCode: 'BUYER_UNKNOWN',
  errorMessage: 'Not known.',
  decidedAt,
  answer: '{"status":"REJECTED"}',
}

it('accepts a FAILED invoice, which keeps nothing of the failure but the audit entry', async () => {
  const invoice = failed()
  const { deps, writes } = openStore(invoice)
  await recordAccepted(deps, event(invoice, 'clearance.accepted', accepted))
  expect(writes).toHaveLength(1)
  expect(writes[0]).toMatchObject({
    work: 'final',
    invoice: { status: 'ACCEPTED', dgiReference: 'DGI-1', dgiValidatedAt: decidedAt },
    audit: { action: 'invoice.accepted', from: 'FAILED', to: 'ACCEPTED', detail: accepted.answer },
  })
  const { dgiErrorCode, dgiErrorMessage, dgiSubmittedAt } = writes[0]!.invoice
  expect([dgiErrorCode, dgiErrorMessage]).toEqual([undefined, undefined])
  expect(dgiSubmittedAt).toBeDefined()
})

it('rejects a FAILED invoice, and keeps when it was submitted', async () => {
  const invoice = failed({ dgiSubmittedAt: '2026-05-01T00:00:00.000Z' })
  const { deps, writes } = openStore(invoice)
  await recordRejected(deps, event(invoice, 'clearance.rejected', rejected))
  expect(writes).toHaveLength(1)
  expect(writes[0]).toMatchObject({
    invoice: {
      status: 'REJECTED',
      dgiErrorCode: 'BUYER_UNKNOWN',
      dgiErrorMessage: 'Not known.',
      dgiSubmittedAt: '2026-05-01T00:00:00.000Z',
    },
    audit: { from: 'FAILED', to: 'REJECTED' },
  })
})

it('records one decision once, and no failure after it', async () => {
  const invoice = failed()
  const { deps, writes } = openStore(invoice)
  const reported = event(invoice, 'clearance.accepted', accepted)
  await recordAccepted(deps, reported)
  await recordAccepted(deps, reported)
  await recordRejected(deps, event(invoice, 'clearance.rejected', rejected))
  const { clearanceStartedAt } = invoice
  const failure = { errorCode: 'A', errorMessage: 'B', clearanceStartedAt }
  await recordFailed(deps, event(invoice, 'clearance.failed', failure))
  expect(writes).toHaveLength(1)
})
