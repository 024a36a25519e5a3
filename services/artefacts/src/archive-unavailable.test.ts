import { systemClock } from '@einvoicing/runtime/clock'
import { createLog } from '@einvoicing/runtime/log'
import type { Call } from '@einvoicing/rpc/call'
import { InvoiceStatus, type Invoice } from '@einvoicing/proto/invoice'
import { describeWithOwn } from '@einvoicing/servers/describe-with'
import { artefactKey } from './artefact'
import { openArtefacts, type Artefacts } from './service'
import { sha256Hex } from './objects/digest'
import { awaitingInvoice, sampleInvoice } from './testdata/invoices'
import { S3ForTest } from './testdata/s3-servers'
import { makeKeepRequest, signedXml as xml, trust } from './testdata/signed-xml'

const { organizationId } = sampleInvoice()
const away = { code: 'SERVICE_UNAVAILABLE' }

describeWithOwn('minio', 'artefacts with the archive away', () => {
  let s3: S3ForTest
  let service: Artefacts
  let bucket: string

  beforeAll(async () => {
    s3 = await S3ForTest.start('minio')
    await s3.server.kill9()
    const config = s3.config()
    bucket = config.bucket
    service = await openArtefacts(
      { ...config, trust, environment: 'live' },
      { now: systemClock, log: createLog('silent') },
    )
  })

  afterAll(async () => {
    await service.close()
    await s3.dispose()
  })

  const call = (): Call => ({
    caller: { service: 'invoices', organizationId, actor: 'test' },
    requestId: 'test',
    deadline: Date.now() + 20_000,
  })
  const withId = (invoice: Invoice, id: string): Invoice => ({ ...invoice, id })
  const storeXml = (invoiceId: string) =>
    service.handlers.keepSignedXml(makeKeepRequest(invoiceId), call())
  const archiveProblem = async () => {
    const { dependencies } = await service.handlers.checkArtefacts({}, call())
    return dependencies.find(({ name }) => name === 's3')?.problem
  }

  it('opens, draws non-final invoices, and asks to retry for all else', async () => {
    const awaiting = withId(awaitingInvoice({ status: InvoiceStatus.SIGNED }), 'awaiting')
    const pdf = await service.handlers.readPdf({ invoice: awaiting }, call())
    expect(pdf.content.subarray(0, 5).toString()).toBe('%PDF-')
    const final = { invoice: withId(sampleInvoice(), 'final') }
    await expect(storeXml('final')).rejects.toMatchObject(away)
    await expect(service.handlers.keepFinalArtefacts(final, call())).rejects.toMatchObject(away)
    await expect(service.handlers.readPdf(final, call())).rejects.toMatchObject(away)
    await expect(service.handlers.readQr(final, call())).rejects.toMatchObject(away)
    const read = service.handlers.readKeptXml({ invoiceId: 'final' }, call())
    await expect(read).rejects.toMatchObject(away)
    expect(await archiveProblem()).toBe('is not available')
  })

  it('archives everything once it is available, without a restart, and locks it', async () => {
    await s3.comeBack()
    const final = { invoice: withId(sampleInvoice(), 'final') }
    await storeXml('final')
    await service.handlers.keepFinalArtefacts(final, call())
    expect(await archiveProblem()).toBe('')
    const stored = await service.handlers.readKeptXml({ invoiceId: 'final' }, call())
    expect(stored).toEqual({ content: xml, mediaType: 'application/xml', sha256: sha256Hex(xml) })
    const hand = s3.hand(bucket)
    for (const kind of ['signedXml', 'pdf', 'qr'] as const) {
      const key = artefactKey(organizationId, 'final', kind)
      const lock = await hand.readLock(key, await hand.onlyVersion(key))
      expect(lock).toEqual({ mode: 'COMPLIANCE', until: new Date('2037-01-01T00:00:00Z') })
    }
  })

  it('answers for final documents during another outage, once they are stored', async () => {
    const final = { invoice: withId(sampleInvoice(), 'final') }
    const before = await service.handlers.readPdf(final, call())
    await s3.server.kill9()
    await expect(service.handlers.readPdf(final, call())).rejects.toMatchObject(away)
    await s3.comeBack()
    expect(await service.handlers.readPdf(final, call())).toEqual(before)
  })
})
