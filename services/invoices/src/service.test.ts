import { randomUUID } from 'node:crypto'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { openInProcessBus } from '@einvoicing/events/in-process/in-process-bus'
import type { InvoiceEvent, EventData, EventType } from '@einvoicing/events/event'
import { createLog } from '@einvoicing/runtime/log'
import type { Invoice, InvoiceContent } from '@einvoicing/proto/invoice'
import type { UpdateInvoiceRequest } from '@einvoicing/proto/invoices'
import { openInvoices, type Invoices } from './service'
import {
  call,
  content,
  untilHolds,
  issuer,
  mentions,
  neighbours,
  noFormerChanges,
  sha256,
  update,
} from './testdata/neighbours'

const log = createLog('silent')
const fail = (error: Error): never => {
  throw error
}

describe('invoices', () => {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'invoices-service-'))
  const config = { store: { kind: 'sqlite' as const, file: path.join(folder, 'invoices.db') } }
  let around: ReturnType<typeof neighbours>
  let bus: ReturnType<typeof openInProcessBus>
  let events: InvoiceEvent[]
  /** What the service asked to run when the bus has lost events. */
  let rebuild: () => void
  let invoices: Invoices

  const open = async () => {
    bus = { ...openInProcessBus(log), onLoss: (onLoss) => (rebuild = onLoss) }
    events = []
    bus.subscribe('invoice.signed', { name: 'clearance', inFlightMax: 8 }, async (event) => {
      events.push(event)
    })
    invoices = await openInvoices(config, { ...around, bus, now: () => new Date(), log, fail })
  }
  const close = async () => {
    await bus.close()
    await invoices.close()
  }
  const create = (fields: Partial<InvoiceContent> = {}, draft = false) =>
    invoices.handlers.createInvoice({ issuer, content: content(fields), draft }, call())
  const get = (invoiceId: string) => invoices.handlers.getInvoice({ invoiceId }, call())
  const audit = async (invoiceId: string) => {
    const { entries } = await invoices.handlers.listInvoiceAudit({ page: 0, size: 1_000 }, call())
    return entries
      .filter((entry) => entry.invoiceId === invoiceId)
      .toReversed()
      .map(({ action, from, to }) => [action, from, to])
  }
  const publish = <T extends EventType>(type: T, invoice: Invoice, data: EventData[T]) =>
    bus.publish({
      specversion: '1.0',
      id: randomUUID(),
      source: 'clearance',
      type,
      time: new Date().toISOString(),
      subject: invoice.id,
      organizationid: invoice.organizationId,
      data,
    })
  const accepted = {
    submissionId: 's',
    reference: 'DGI-1',
    qrCode: 'http://x/verify?p=1',
    qrPayload: 'p',
    decidedAt: '2026-05-03T10:00:01.000Z',
    answer: '{"status":"ACCEPTED"}',
  }
  const transmitted = { submissionId: 's', submittedAt: '2026-05-03T10:00:00.000Z', answer: '{}' }
  const settled = (id: string, status: string) =>
    untilHolds(
      () => get(id),
      (invoice) => invoice.status === status,
    )

  beforeEach(async () => {
    around = neighbours()
    await open()
  })
  afterEach(close)
  afterAll(() => fs.rmSync(folder, { recursive: true }))

  it('creates: computes totals, signs, audits and publishes the event for clearance', async () => {
    const invoice = await create()
    expect(invoice).toMatchObject({
      status: 'SIGNED',
      amountHt: 101,
      amountVat: 20,
      amountTtc: 121,
    })
    expect(await get(invoice.id)).toEqual(invoice)
    expect(await audit(invoice.id)).toEqual([['invoice.created', undefined, 'SIGNED']])
    await untilHolds(
      async () => events,
      (published) => published.some(({ subject }) => subject === invoice.id),
    )
  })

  it('stores nothing when the signer is unavailable, and the number stays free', async () => {
    around.away.signer = true
    await expect(create({ invoiceNumber: 'F-away' })).rejects.toMatchObject({
      code: 'SERVICE_UNAVAILABLE',
    })
    around.away.signer = false
    expect((await create({ invoiceNumber: 'F-away' })).status).toBe('SIGNED')
  })

  it('previews without storing: the number stays free, errors are those of a creation', async () => {
    const preview = (fields: Partial<InvoiceContent>) =>
      invoices.handlers.previewInvoice({ issuer, content: content(fields), draft: true }, call())
    const invoice = await preview({ invoiceNumber: 'F-preview' })
    expect(invoice).toMatchObject({ status: 'PENDING', issuer: mentions, amountTtc: 121 })
    await expect(get(invoice.id)).rejects.toMatchObject({ code: 'INVOICE_NOT_FOUND' })
    expect(await audit(invoice.id)).toEqual([])
    await expect(preview({ invoiceDate: '1999-12-31' })).rejects.toMatchObject({
      code: 'VALIDATION_ERROR',
    })
    expect((await create({ invoiceNumber: 'F-preview' })).status).toBe('SIGNED')
  })

  it('only one of fifty gets a number', async () => {
    const attempts = await Promise.allSettled(
      Array.from({ length: 50 }, () => create({ invoiceNumber: 'F-50' })),
    )
    const refused = attempts.filter(({ status }) => status === 'rejected')
    expect(refused).toHaveLength(49)
    for (const apiError of refused) {
      expect(apiError).toMatchObject({ reason: { code: 'INVOICE_NUMBER_EXISTS' } })
    }
  })

  it('rejects an invoice without the legal details, naming them; a draft is allowed', async () => {
    const incomplete = { mentions, missing: ['rc', 'tp'] }
    const request = { issuer: incomplete, content: content(), draft: false }
    await expect(invoices.handlers.createInvoice(request, call())).rejects.toMatchObject({
      code: 'MISSING_LEGAL_MENTIONS',
      fieldErrors: [{ field: 'rc' }, { field: 'tp' }],
    })
    const draft = await invoices.handlers.createInvoice({ ...request, draft: true }, call())
    const sign = { invoiceId: draft.id, issuer: incomplete }
    await expect(invoices.handlers.signInvoice(sign, call())).rejects.toMatchObject({
      code: 'MISSING_LEGAL_MENTIONS',
    })
  })

  it('allows editing and signing a draft, then nothing', async () => {
    const draft = await create({ buyerName: 'A', dueDate: '2026-06-01' }, true)
    expect(draft.status).toBe('PENDING')
    const change = update(draft.id, { buyerName: 'B', dueDate: undefined })
    const edited = await invoices.handlers.updateInvoice(change, call())
    expect(edited).toMatchObject({ buyerName: 'B', status: 'PENDING', amountTtc: 121 })
    expect(edited.dueDate).toBeUndefined()
    const signed = await invoices.handlers.signInvoice({ invoiceId: draft.id, issuer }, call())
    expect(signed.status).toBe('SIGNED')
    for (const attempt of [
      invoices.handlers.updateInvoice(change, call()),
      invoices.handlers.checkEditable({ invoiceId: draft.id }, call()),
      invoices.handlers.cancelInvoice({ invoiceId: draft.id }, call()),
      invoices.handlers.signInvoice({ invoiceId: draft.id, issuer }, call()),
    ]) {
      await expect(attempt).rejects.toMatchObject({ code: 'INVOICE_NOT_EDITABLE' })
    }
    expect(await audit(draft.id)).toEqual([
      ['invoice.created', undefined, 'PENDING'],
      ['invoice.updated', undefined, undefined],
      ['invoice.signed', 'PENDING', 'SIGNED'],
    ])
  })

  it('loses no field of two simultaneous edits', async () => {
    const draft = await create({}, true)
    const edit = (fields: Partial<InvoiceContent>) =>
      invoices.handlers.updateInvoice(update(draft.id, fields), call())
    await Promise.all([edit({ buyerName: 'A' }), edit({ buyerAddress: 'B' })])
    expect(await get(draft.id)).toMatchObject({ buyerName: 'A', buyerAddress: 'B' })
  })

  it('edits for a gateway of 0.1, without an update mask', async () => {
    const draft = await create({ buyerName: 'A', buyerAddress: 'B', dueDate: '2026-06-01' }, true)
    const { lines } = content()
    const former = { invoiceId: draft.id, issuer, content: undefined, updateMask: undefined }
    const edit = (fields: Partial<UpdateInvoiceRequest>) =>
      invoices.handlers.updateInvoice({ ...former, ...noFormerChanges, ...fields }, call())
    const edited = await edit({ buyerName: 'C', cleared: ['dueDate'] })
    const { buyerAddress, invoiceNumber } = draft
    expect(edited).toMatchObject({ invoiceNumber, buyerName: 'C', buyerAddress, amountTtc: 121 })
    expect(edited.dueDate).toBeUndefined()
    expect(await edit({ lines: [...lines, ...lines] })).toMatchObject({
      buyerName: 'C',
      amountTtc: 242,
    })
  })

  it('loses no field that a newer gateway sends', async () => {
    const draft = await create({}, true)
    const newer = { ...update(draft.id), updateMask: ['buyer_colour'] }
    await expect(invoices.handlers.updateInvoice(newer, call())).rejects.toThrow('buyer_colour')
    expect(await get(draft.id)).toEqual(draft)
  })

  it('edits only the version that was read', async () => {
    const draft = await create({ buyerName: 'A' }, true)
    const edit = (ifUpdatedAt: string) =>
      invoices.handlers.updateInvoice({ ...update(draft.id), ifUpdatedAt }, call())
    const { updatedAt } = await edit(draft.updatedAt)
    await expect(edit(draft.updatedAt)).rejects.toThrow(`changed by the API key 1 at ${updatedAt},`)
    expect((await edit(updatedAt)).updatedAt > updatedAt).toBe(true)
  })

  it('signs only the version that was read', async () => {
    const draft = await create({ buyerName: 'A' }, true)
    const { updatedAt } = await invoices.handlers.updateInvoice(update(draft.id), call())
    const sign = (ifUpdatedAt: string) =>
      invoices.handlers.signInvoice({ invoiceId: draft.id, issuer, ifUpdatedAt }, call())
    await expect(sign(draft.updatedAt)).rejects.toMatchObject({ code: 'INVOICE_CHANGED' })
    expect((await get(draft.id)).status).toBe('PENDING')
    expect((await sign(updatedAt)).status).toBe('SIGNED')
  })

  it('refuses an edit that puts dueDate before the invoiceDate already there', async () => {
    const draft = await create({}, true)
    const change = update(draft.id, { dueDate: '2026-05-02' })
    await expect(invoices.handlers.updateInvoice(change, call())).rejects.toMatchObject({
      code: 'VALIDATION_ERROR',
      fieldErrors: [{ field: 'dueDate' }],
    })
  })

  it('the number of a cancelled draft stays used', async () => {
    const draft = await create({ invoiceNumber: 'F-cancelled' }, true)
    await invoices.handlers.cancelInvoice({ invoiceId: draft.id }, call())
    expect(await get(draft.id)).toMatchObject({ status: 'CANCELLED' })
    await expect(create({ invoiceNumber: 'F-cancelled' })).rejects.toMatchObject({
      code: 'INVOICE_NUMBER_EXISTS',
    })
    await expect(
      invoices.handlers.readSignedXml({ invoiceId: draft.id, toSubmit: false }, call()),
    ).rejects.toMatchObject({ code: 'ARTEFACT_NOT_AVAILABLE' })
  })

  it('shows nothing to a user of another organization', async () => {
    const { id: invoiceId } = await create({}, true)
    const stranger = call('org-2')
    const { handlers } = invoices
    for (const attempt of [
      handlers.getInvoice({ invoiceId }, stranger),
      handlers.cancelInvoice({ invoiceId }, stranger),
      handlers.signInvoice({ invoiceId, issuer }, stranger),
      handlers.resubmitInvoice({ invoiceId }, stranger),
      handlers.readSignedXml({ invoiceId, toSubmit: true }, stranger),
      handlers.updateInvoice(update(invoiceId), stranger),
      handlers.checkEditable({ invoiceId }, stranger),
    ]) {
      await expect(attempt).rejects.toMatchObject({ code: 'INVOICE_NOT_FOUND' })
    }
    const invoiceIds = [invoiceId]
    expect(await handlers.readNumbers({ invoiceIds }, stranger)).toEqual({ numbers: [] })
  })

  it('reads the numbers of at most 100 invoices', async () => {
    const { handlers } = invoices
    const { id: invoiceId, invoiceNumber } = await create({}, true)
    const read = (count: number) =>
      handlers.readNumbers({ invoiceIds: new Array<string>(count).fill(invoiceId) }, call())
    expect(await read(100)).toEqual({ numbers: [{ invoiceId, invoiceNumber }] })
    await expect(read(101)).rejects.toThrow('at most 100')
  })

  it('records transmission and acceptance once, however often and in whatever order they arrive', async () => {
    const invoice = await create()
    await publish('clearance.accepted', invoice, accepted)
    await settled(invoice.id, 'ACCEPTED')
    await publish('clearance.transmitted', invoice, transmitted)
    await publish('clearance.accepted', invoice, accepted)
    await publish('clearance.rejected', invoice, {
      submissionId: 's',
      errorCode: 'X',
      errorMessage: 'x',
      decidedAt: accepted.decidedAt,
      answer: '',
    })
    await close()
    await open()
    expect(await get(invoice.id)).toMatchObject({
      status: 'ACCEPTED',
      dgiReference: 'DGI-1',
      dgiValidatedAt: accepted.decidedAt,
    })
    expect(await audit(invoice.id)).toEqual([
      ['invoice.created', undefined, 'SIGNED'],
      ['invoice.transmitted', 'SIGNED', 'TRANSMITTED'],
      ['invoice.accepted', 'TRANSMITTED', 'ACCEPTED'],
    ])
  })

  it('only the failed attempt fails; a request sends it again', async () => {
    const invoice = await create()
    const failure = { errorCode: 'AUTHORITY_UNREACHABLE', errorMessage: 'away' }
    const { clearanceStartedAt = '' } = invoice
    await publish('clearance.failed', invoice, { ...failure, clearanceStartedAt: 'another' })
    await publish('clearance.failed', invoice, { ...failure, clearanceStartedAt })
    const failed = await settled(invoice.id, 'FAILED')
    expect(failed).toMatchObject({ dgiErrorCode: 'AUTHORITY_UNREACHABLE' })

    const again = await invoices.handlers.resubmitInvoice({ invoiceId: invoice.id }, call())
    expect(again.status).toBe('SIGNED')
    expect(again.dgiErrorCode).toBeUndefined()
    await publish('clearance.failed', invoice, { ...failure, clearanceStartedAt })
    await publish('clearance.accepted', invoice, accepted)
    await settled(invoice.id, 'ACCEPTED')
    await expect(
      invoices.handlers.resubmitInvoice({ invoiceId: invoice.id }, call()),
    ).rejects.toMatchObject({ code: 'INVOICE_NOT_RESUBMITTABLE' })
    await untilHolds(
      async () => events.filter(({ subject }) => subject === invoice.id),
      (published) => published.length === 2,
    )
  })

  it('publishes undecided invoices again after a restart', async () => {
    const waiting = await create()
    const sent = await create()
    await publish('clearance.transmitted', sent, transmitted)
    await settled(sent.id, 'TRANSMITTED')
    const listPublished = () =>
      events.filter(({ subject }) => [waiting.id, sent.id].includes(subject))
    // What still waits in the outbox is published after a restart as it was.
    await untilHolds(async () => listPublished().length === 2, Boolean)
    await close()
    await open()
    const published = await untilHolds(
      async () => listPublished(),
      (found) => found.length >= 2,
    )
    expect(
      published.map(({ subject, data }) => [
        subject,
        (data as EventData['invoice.signed']).transmitted,
      ]),
    ).toEqual(
      expect.arrayContaining([
        [waiting.id, false],
        [sent.id, true],
      ]),
    )
  })

  it('publishes undecided invoices again when the bus has lost events', async () => {
    const waiting = await create()
    const reported = () => events.filter(({ subject }) => subject === waiting.id).length
    await untilHolds(async () => reported() === 1, Boolean)
    rebuild()
    await untilHolds(async () => reported() === 2, Boolean)
  })

  it('serves the XML at every moment, from the invoice or from the archive', async () => {
    around.away.archive = true
    const invoice = await create()
    const toRead = { invoiceId: invoice.id, toSubmit: false }
    const inline = await invoices.handlers.readSignedXml(toRead, call())
    expect(sha256(inline.xml)).toBe(invoice.xmlSha256)
    around.away.archive = false
    await close()
    await open()
    await untilHolds(async () => around.kept.has(invoice.id), Boolean)
    const stored = await invoices.handlers.readSignedXml(toRead, call())
    expect(stored.xml.equals(inline.xml)).toBe(true)
  })

  it('says while creations keep it busy, and no longer', async () => {
    const { id: invoiceId } = await create()
    const isBusy = async () =>
      (await invoices.handlers.readSignedXml({ invoiceId, toSubmit: true }, call())).busy
    expect(await isBusy()).toBeUndefined()
    const creations = [create(), create(), create(), create()]
    expect(await isBusy()).toBe(true)
    await Promise.all(creations)
    await untilHolds(isBusy, (busy) => busy === undefined)
  })

  it('has the final artefacts drawn once accepted', async () => {
    const invoice = await create()
    await publish('clearance.transmitted', invoice, transmitted)
    await publish('clearance.accepted', invoice, accepted)
    await untilHolds(async () => around.final.includes(invoice.id), Boolean)
  })
})
