import { randomUUID } from 'node:crypto'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import type { Invoice, InvoiceContent } from '@einvoicing/proto/invoice'
import { describeWith } from '@einvoicing/servers/describe-with'
import { startMongod, type Mongod } from '@einvoicing/servers/mongod'
import { call, content, untilHolds, issuer, update } from '../testdata/neighbours'
import { creditInvoiceContract } from './credit-invoice.contract'
import { accepted, createCredits, line, rejected, start, type Under } from './testdata/credits'

function creditsOn(open: () => Promise<Under>): void {
  let under: Under
  beforeAll(async () => (under = await open()), 60_000)
  afterAll(() => under.close())
  const credits = createCredits(() => under)
  const { handlers, create, get, note, decide, original, wasSent, readCode } = credits

  it('takes the buyer and the reference from the original, and is sent at once', async () => {
    const invoice = await original()
    const credit = await create(note([invoice]))
    const { invoiceNumber, invoiceDate, id } = invoice
    expect(credit).toMatchObject({ type: 'CREDIT_NOTE', status: 'SIGNED', buyerName: 'Rif' })
    expect(credit.precedingInvoices?.items).toEqual([{ id, invoiceNumber, invoiceDate }])
    await untilHolds(async () => wasSent(credit), Boolean)
    const booked = await get(id)
    expect(booked.status).toBe('ACCEPTED')
    expect(booked.credits?.items).toEqual([
      {
        creditNoteId: credit.id,
        invoiceNumber: credit.invoiceNumber,
        bases: [{ vatCategory: 'S', vatRate: 20, amount: 100_000 }],
        amountTtc: credit.amountTtc,
        status: 'SIGNED',
      },
    ])
    const { entries } = await handlers().listAuditOfInvoice({ invoiceId: id }, call())
    expect(entries.at(-1)).toMatchObject({ action: 'invoice.credited' })
  })

  it('lets exactly nine of fifty credit nine thousand, and every number of the others is free', async () => {
    const invoice = await original()
    const codes = await Promise.all(
      Array.from({ length: 50 }, (_, index) => readCode(create(note([invoice]), false, index))),
    )
    expect(codes.filter((code) => code === 'done')).toHaveLength(9)
    expect(codes.filter((code) => code === 'CREDIT_EXCEEDS_INVOICE')).toHaveLength(41)
    const { credits } = await get(invoice.id)
    const bases = credits?.items.flatMap((credit) => credit.bases.map(({ amount }) => amount))
    expect(bases?.reduce((sum, amount) => sum + amount, 0)).toBe(900_000)
    const over = note([invoice], { lines: [line('0.01'), { ...line('121', 14), lineNumber: 2 }] })
    await expect(create(over)).rejects.toMatchObject({
      code: 'CREDIT_EXCEEDS_INVOICE',
      fieldErrors: [
        {
          field: 'lines',
          message: `VAT 20 %: 0.01 to credit, 0.00 left of invoice ${invoice.invoiceNumber}`,
        },
        {
          field: 'lines',
          message: `VAT 14 %: 121.00 to credit, 120.50 left of invoice ${invoice.invoiceNumber}`,
        },
      ],
    })
  }, 60_000)

  it('says that the number exists, not that its own note left nothing to credit', async () => {
    const invoice = await original()
    const whole = note([invoice], { invoiceNumber: `AV-${randomUUID()}`, lines: [line('9000')] })
    const codes = await Promise.all(
      Array.from({ length: 4 }, (_, index) => readCode(create(whole, false, index))),
    )
    expect(codes.filter((code) => code === 'done')).toHaveLength(1)
    expect(codes.filter((code) => code === 'INVOICE_NUMBER_EXISTS')).toHaveLength(3)
    expect(await readCode(create(whole))).toBe('INVOICE_NUMBER_EXISTS')
  })

  it('signs nothing under a number that is taken', async () => {
    const twice = note([await original()], { invoiceNumber: `AV-${randomUUID()}` })
    await create(twice)
    const signed = under.signatures()
    expect(await readCode(create(twice))).toBe('INVOICE_NUMBER_EXISTS')
    expect(under.signatures()).toBe(signed)
  })

  it('credits two originals in opposite orders at once, never more than both', async () => {
    const [one, other] = [await original(), await original()]
    const codes = await Promise.all(
      Array.from({ length: 12 }, (_, index) => {
        const originals = index % 2 === 0 ? [one, other] : [other, one]
        return readCode(create(note(originals, { lines: [line('2000')] }), false, index))
      }),
    )
    expect(codes.filter((code) => code === 'done')).toHaveLength(9)
    for (const each of [one, other]) {
      const { credits } = await get(each.id)
      const bases = credits?.items.flatMap((credit) => credit.bases.map(({ amount }) => amount))
      expect(bases?.reduce((sum, amount) => sum + amount, 0)).toBe(900_000)
    }
  }, 60_000)

  it('releases the amount of a rejected credit note', async () => {
    const invoice = await original()
    const credit = await create(note([invoice], { lines: [line('9000')] }))
    expect(await readCode(create(note([invoice])))).toBe('CREDIT_EXCEEDS_INVOICE')
    await decide('clearance.rejected', credit, rejected)
    expect((await get(invoice.id)).credits?.items).toEqual([])
    expect(await readCode(create(note([invoice])))).toBe('done')
  })

  it('waits for its original, and is sent when that is accepted', async () => {
    const invoice = await original({}, false)
    const credit = await create(note([invoice]))
    expect(credit).toMatchObject({ status: 'SIGNED', waitsFor: { invoiceIds: [invoice.id] } })
    expect(credit.clearanceStartedAt).toBeUndefined()
    await decide('clearance.accepted', invoice, accepted)
    await untilHolds(async () => wasSent(credit), Boolean)
    const released = await get(credit.id)
    expect(released.waitsFor).toBeUndefined()
    expect(Date.parse(released.clearanceStartedAt ?? '')).toBeGreaterThan(
      Date.parse(credit.signedAt ?? ''),
    )
  })

  it('is decided by no event before it is sent, nor after it failed with its original', async () => {
    const invoice = await original({}, false)
    const [waiting, other] = [await create(note([invoice])), await original({}, false)]
    const failed = await create(note([other]))
    await decide('clearance.rejected', other, rejected)
    const notes = [waiting, failed]
    const before = await Promise.all([...notes, invoice, other].map(({ id }) => get(id)))
    for (const each of notes) await under.publish('clearance.accepted', each, accepted)
    for (const each of notes) await under.publish('clearance.rejected', each, rejected)
    await decide('clearance.accepted', await create(), accepted)
    expect(await Promise.all([...notes, invoice, other].map(({ id }) => get(id)))).toEqual(before)
    await decide('clearance.accepted', invoice, accepted)
    await untilHolds(async () => wasSent(waiting), Boolean)
    await decide('clearance.accepted', waiting, accepted)
  })

  it('fails when its original is rejected, and cannot be sent again', async () => {
    const [invoice, accepts] = [await original({}, false), await original()]
    const credit = await create(note([invoice, accepts], { lines: [line('10000')] }))
    await decide('clearance.rejected', invoice, rejected)
    const failed = await get(credit.id)
    expect(failed).toMatchObject({ status: 'FAILED', dgiErrorCode: 'PRECEDING_INVOICE_REJECTED' })
    expect(wasSent(credit)).toBe(false)
    for (const each of [invoice, accepts]) {
      expect((await get(each.id)).credits?.items).toEqual([])
    }
    await expect(handlers().resubmitInvoice({ invoiceId: credit.id }, call())).rejects.toThrow(
      'rejected the invoice that this credit note corrects',
    )
    await expect(handlers().cancelInvoice({ invoiceId: credit.id }, call())).rejects.toThrow(
      /^This credit note is FAILED.*so it cannot be sent/,
    )
  })

  it.each([
    ['PENDING', 'Edit it'],
    ['CANCELLED', 'never issued'],
    ['REJECTED', 'new number'],
  ])('names the remedy of an original that is %s', async (status, remedy) => {
    const invoice = await create({ lines: [line('9000')] }, status !== 'REJECTED')
    if (status === 'CANCELLED') await handlers().cancelInvoice({ invoiceId: invoice.id }, call())
    if (status === 'REJECTED') await decide('clearance.rejected', invoice, rejected)
    const refused = create(note([invoice]))
    await expect(refused).rejects.toMatchObject({ code: 'INVOICE_NOT_CREDITABLE' })
    await expect(refused).rejects.toThrow(remedy)
  })

  it('names the remedy of an original that failed, or is a credit note', async () => {
    const failed = await original({}, false)
    const { clearanceStartedAt = '' } = failed
    const unclear = { errorCode: 'TIMEOUT', errorMessage: 'late', clearanceStartedAt }
    await under.publish('clearance.failed', failed, unclear)
    await untilHolds(
      () => get(failed.id),
      ({ status }) => status === 'FAILED',
    )
    await expect(create(note([failed]))).rejects.toThrow('Send it again first')
    const invoice = await original()
    const credit = await create(note([invoice]))
    await expect(create(note([credit]))).rejects.toThrow('is itself a credit note')
    expect((await get(invoice.id)).credits?.items).toHaveLength(1)
  })

  it('has one series of numbers for all types', async () => {
    const invoice = await original()
    const { invoiceNumber } = invoice
    expect(await readCode(create(note([invoice], { invoiceNumber })))).toBe('INVOICE_NUMBER_EXISTS')
    expect((await get(invoice.id)).credits?.items ?? []).toEqual([])
    const credit = await create(note([invoice]))
    expect(await readCode(create({ invoiceNumber: credit.invoiceNumber }))).toBe(
      'INVOICE_NUMBER_EXISTS',
    )
  })

  it('reports every error of the body and of its references at once', async () => {
    const invoice = await original()
    const wrong = note([invoice], {
      correctionReason: undefined,
      currency: 'EUR',
      buyerIce: '001234567000089',
      invoiceDate: '2026-05-02',
      precedingInvoices: {
        items: [
          { id: invoice.id, invoiceNumber: 'X' },
          { id: randomUUID() },
          { invoiceNumber: 'Y' },
        ],
      },
    })
    const error = await create(wrong).catch((thrown: unknown) => thrown)
    const { fieldErrors } = error as { fieldErrors: { field: string }[] }
    expect(fieldErrors.map(({ field }) => field).sort()).toEqual([
      'buyerIce',
      'correctionReason',
      'currency',
      'invoiceDate',
      'precedingInvoices[0].invoiceNumber',
      'precedingInvoices[1].id',
      'precedingInvoices[2].invoiceDate',
    ])
  })

  it('takes the buyer from the first original that is held', async () => {
    const { id, invoiceNumber } = await original({ buyerReference: 'their own' })
    const elsewhere = { invoiceNumber: `old-${randomUUID()}`, invoiceDate: '2025-03-01' }
    const items = [elsewhere, { id }]
    const credit = await create(note([], { precedingInvoices: { items } }))
    expect(credit).toMatchObject({ buyerName: 'Rif', buyerReference: 'their own' })
    const refused = create(note([], { precedingInvoices: { items }, buyerName: 'Atlas' }))
    await expect(refused).rejects.toMatchObject({
      fieldErrors: [
        { field: 'buyerName', message: `must be that of invoice ${invoiceNumber}: Rif` },
      ],
    })
  })

  it.each<[string, Partial<InvoiceContent>, Partial<InvoiceContent>]>([
    ['another name', { buyerName: 'Rif' }, { buyerName: 'Atlas' }],
    ['a consumer', { buyerName: 'Rif' }, { buyerName: undefined }],
    ['another ICE', { buyerIce: '001525713000032' }, { buyerIce: '001234567000089' }],
    ['another IF', { buyerIf: '1' }, { buyerIf: '2' }],
  ])('has one buyer: not %s', async (_, one, other) => {
    const [first, second] = [await original(one), await original(other)]
    await expect(create(note([first, second]))).rejects.toMatchObject({
      code: 'VALIDATION_ERROR',
      fieldErrors: [
        {
          field: 'precedingInvoices[1]',
          message: `must have the buyer of invoice ${first.invoiceNumber}: a credit note has one buyer`,
        },
      ],
    })
    expect((await get(second.id)).credits?.items ?? []).toEqual([])
  })

  it('knows a buyer whose address or spelling changed by the ICE', async () => {
    const buyerIce = '001525713000032'
    const first = await original({ buyerIce, buyerAddress: 'Rabat' })
    const second = await original({ buyerIce, buyerName: 'RIF', buyerAddress: 'Fès' })
    const credit = await create(note([first, second]))
    expect(credit).toMatchObject({ buyerName: 'Rif', buyerAddress: 'Rabat' })
  })

  it('compares only what the document says of the buyer', async () => {
    const invoice = await original({ buyerReference: 'their own' })
    const stated = { buyerCountry: 'MA', buyerType: 'CONSUMER', buyerReference: 'of the return' }
    expect(await create(note([invoice], stated))).toMatchObject(stated)
    const abroad = await original({ buyerCountry: 'FR' })
    await expect(create(note([abroad], { buyerCountry: 'MA' }))).rejects.toMatchObject({
      fieldErrors: [
        { field: 'buyerCountry', message: `must be that of invoice ${abroad.invoiceNumber}: FR` },
      ],
    })
    await expect(create(note([invoice], { buyerCountry: 'FR' }))).rejects.toMatchObject({
      fieldErrors: [
        { field: 'buyerCountry', message: `must be that of invoice ${invoice.invoiceNumber}: MA` },
      ],
    })
  })

  it('does not know the invoices of other organizations', async () => {
    const invoice = await original()
    const newerContent = content(note([invoice]))
    await expect(
      handlers().createInvoice(
        { issuer, draft: false, content: undefined, newerContent },
        call('org-2'),
      ),
    ).rejects.toMatchObject({ code: 'VALIDATION_ERROR' })
  })

  it('accepts an invoice issued elsewhere without a limit, and says so in the audit log', async () => {
    const items = [{ invoiceNumber: `old-${randomUUID()}`, invoiceDate: '2025-01-31' }]
    const credit = await create(note([], { precedingInvoices: { items }, lines: [line('5', 16)] }))
    const { entries } = await handlers().listAuditOfInvoice({ invoiceId: credit.id }, call())
    expect(entries[0]?.detail).toContain(`issued elsewhere: ${items[0]?.invoiceNumber}`)
  })

  creditInvoiceContract(credits)

  it('decides what a draft may credit when it is signed', async () => {
    const invoice = await original()
    const sign = ({ id }: Invoice) => handlers().signInvoice({ invoiceId: id, issuer }, call())
    const all = note([invoice], { lines: [line('9000')] })
    const [first, second] = [await create(all, true), await create(all, true)]
    expect((await get(invoice.id)).credits).toBeUndefined()
    const signed = await sign(first)
    expect(signed.status).toBe('SIGNED')
    expect((await get(invoice.id)).credits?.items).toHaveLength(1)
    expect(await readCode(sign(second))).toBe('CREDIT_EXCEEDS_INVOICE')
    expect((await get(second.id)).status).toBe('PENDING')
    await expect(
      handlers().updateInvoice(update(second.id, { type: 'INVOICE' }), call()),
    ).rejects.toMatchObject({ fieldErrors: [{ field: 'type' }] })
  })
}

describe('credit notes on SQLite', () => {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'credit-'))
  creditsOn(() => start([{ store: { kind: 'sqlite', file: path.join(folder, 'invoices.db') } }]))
})

describeWith('mongod', 'credit notes of two processes on MongoDB', () => {
  let server: Mongod
  afterAll(() => server.dispose())

  creditsOn(async () => {
    server = await startMongod()
    const url = server.url.replace(/\/(\?|$)/, `/credits_${randomUUID()}$1`)
    return start([{ store: { kind: 'mongodb', url } }, { store: { kind: 'mongodb', url } }])
  })
})
