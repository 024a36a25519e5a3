import { createLog } from '@einvoicing/runtime/log'
import type { Invoice } from '@einvoicing/proto/invoice'
import { originalRejectedCode } from '@einvoicing/domain/creditable'
import { recordAccepted, recordFailed, recordRejected, recordTransmitted } from './record-clearance'
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
  const { dgiErrorCode, dgiErrorMessage } = writes[0]!.invoice
  expect([dgiErrorCode, dgiErrorMessage]).toEqual([undefined, undefined])
})

describe.each(['SIGNED', 'TRANSMITTED', 'FAILED'] as const)('dgiSubmittedAt of %s', (status) => {
  const submittedAt = '2026-05-30T00:00:00.000Z'

  const submittedAfter = async (fields: Partial<Invoice>, data: object) => {
    const recorded = await Promise.all(
      [
        { record: recordAccepted, type: 'clearance.accepted', decision: accepted },
        { record: recordRejected, type: 'clearance.rejected', decision: rejected },
      ].map(async ({ record, type, decision }) => {
        const invoice = anInvoice({ status, ...fields })
        const { deps, writes } = openStore(invoice)
        await record(deps, event(invoice, type, { ...decision, ...data }))
        return writes.at(-1)!.invoice
      }),
    )
    expect(recorded.map(({ status: final }) => final)).toEqual(['ACCEPTED', 'REJECTED'])
    return recorded.map(({ dgiSubmittedAt }) => dgiSubmittedAt)
  }

  it('is when the platform received it', async () => {
    expect(await submittedAfter({}, { submittedAt })).toEqual([submittedAt, submittedAt])
  })

  it('is the moment of the decision in an event of an older process', async () => {
    expect(await submittedAfter({}, {})).toEqual([decidedAt, decidedAt])
  })

  it('is never later than the decision', async () => {
    const later = '2026-05-31T10:00:00.001Z'
    expect(await submittedAfter({}, { submittedAt: later })).toEqual([decidedAt, decidedAt])
  })
})

it('of a transmission by a clock ahead of the platform’s, dgiSubmittedAt is the decision’s', async () => {
  const invoice = anInvoice({ status: 'SIGNED' })
  const { deps, writes } = openStore(invoice)
  const submittedAt = '2026-05-31T10:00:07.000Z'
  const transmitted = { submissionId: 's', submittedAt, answer: '' }
  await recordTransmitted(deps, event(invoice, 'clearance.transmitted', transmitted))
  expect(writes[0]!.invoice.dgiSubmittedAt).toBe(submittedAt)
  await recordAccepted(deps, event(invoice, 'clearance.accepted', accepted))
  expect(writes[1]!.invoice.dgiSubmittedAt).toBe(decidedAt)
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

describe.each<[string, Partial<Invoice>]>([
  ['waits for its original', { status: 'SIGNED', waitsFor: { invoiceIds: ['original'] } }],
  ['failed with its original', failed({ dgiErrorCode: originalRejectedCode })],
])('a credit note that %s was never sent', (_, fields) => {
  it.each([
    ['clearance.transmitted', recordTransmitted, { submissionId: 's', submittedAt: decidedAt }],
    ['clearance.accepted', recordAccepted, accepted],
    ['clearance.rejected', recordRejected, rejected],
  ] as const)('%s changes nothing', async (type, record, data) => {
    const note = anInvoice({ ...fields, type: 'CREDIT_NOTE' })
    const { deps, writes } = openStore(note)
    const warn = jest.spyOn(deps.log, 'warn')
    await record(deps, event(note, type, data))
    expect(writes).toEqual([])
    const isStep = type !== 'clearance.transmitted' || note.status === 'SIGNED'
    const message = 'clearance reported on an invoice that was never sent: ignored'
    expect(warn.mock.calls).toEqual(
      isStep ? [[expect.objectContaining({ type, invoiceId: note.id }), message]] : [],
    )
  })
})
