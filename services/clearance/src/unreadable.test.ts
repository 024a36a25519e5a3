import { ApiError } from '@einvoicing/domain/api-error'
import { startClearance, type AtWork } from './testdata/clearance-at-work'
import { toSha256, signedEvent, makeXml } from './testdata/signed'
import type { InvoicesReader } from './signed-xml'

const startedAtMs = Date.parse('2026-03-04T05:06:07.000Z')
const giveUpAfterMs = 60_000

let atWork: AtWork
let nowMs: number
let readSignedXml: InvoicesReader['readSignedXml']

beforeEach(async () => {
  nowMs = startedAtMs
  atWork = await startClearance({
    config: { giveUpAfterMs },
    now: () => new Date(nowMs),
    invoices: { readSignedXml: (request, call) => readSignedXml(request, call) },
  })
})
afterEach(() => atWork.close())

type Row = [string, InvoicesReader['readSignedXml']]

const unreadable: Row[] = [
  [
    'is not in the archive',
    async () => {
      throw new ApiError('ARTEFACT_NOT_AVAILABLE', 'The signed XML is not in the archive.')
    },
  ],
  [
    'is damaged in the archive',
    async () => {
      throw new Error('/einvoicing.Invoices/ReadSignedXml: 13 INTERNAL: internal error')
    },
  ],
  [
    'is not the signed document',
    async () => ({ xml: Buffer.from('<Other/>'), sha256: 'other', neverSent: true }),
  ],
]

describe.each(unreadable)('an XML that %s', (_, read) => {
  beforeEach(() => {
    readSignedXml = read
  })

  it('is never sent, and the invoice fails at the limit', async () => {
    await atWork.bus.publish(signedEvent('a'))
    await atWork.until(() => atWork.requestKinds().length === 2)
    expect(atWork.published('a')).toEqual([])
    nowMs += giveUpAfterMs
    await atWork.ended('a')
    expect(new Set(atWork.requestKinds())).toEqual(new Set(['find']))
    expect(atWork.published('a')).toEqual(['clearance.failed'])
    expect(atWork.events[0]?.data).toMatchObject({
      errorCode: 'DOCUMENT_UNREADABLE',
      errorMessage: expect.stringContaining('The signed document cannot be read'),
    })
  })

  it('does not hide the decision of a platform that has the invoice', async () => {
    const xml = makeXml('a').toString()
    const receivedAt = new Date(startedAtMs).toISOString()
    const submission = { submissionId: 's-1', invoiceId: 'a', xml, receivedAt, reads: 0 }
    atWork.platform.submissions.set('a', submission)
    await atWork.bus.publish(signedEvent('a'))
    await atWork.ended('a')
    expect(atWork.requestKinds()).toEqual(['find', 'read'])
    expect(atWork.published('a')).toEqual(['clearance.transmitted', 'clearance.accepted'])
  })

  it('is sent once it can be read again', async () => {
    await atWork.bus.publish(signedEvent('a'))
    await atWork.until(() => atWork.requestKinds().length === 2)
    readSignedXml = async ({ invoiceId }) => {
      const xml = makeXml(invoiceId)
      return { xml, sha256: toSha256(xml), neverSent: true }
    }
    await atWork.ended('a')
    expect(atWork.requestKinds().filter((kind) => kind === 'submit')).toHaveLength(1)
    expect(atWork.published('a')).toEqual(['clearance.transmitted', 'clearance.accepted'])
  })
})
