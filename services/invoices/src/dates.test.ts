import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { openInProcessBus } from '@einvoicing/events/in-process/in-process-bus'
import { createLog } from '@einvoicing/runtime/log'
import type { InvoiceContent } from '@einvoicing/proto/invoice'
import { openInvoices, type Invoices } from './service'
import { call, content, issuer, neighbours, update } from './testdata/neighbours'

const log = createLog('silent')
const fail = (error: Error): never => {
  throw error
}

describe('the dates of an invoice', () => {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'invoices-dates-'))
  const bus = openInProcessBus(log)
  let clock: () => Date
  let invoices: Invoices

  beforeAll(async () => {
    const config = { store: { kind: 'sqlite' as const, file: path.join(folder, 'invoices.db') } }
    invoices = await openInvoices(config, { ...neighbours(), bus, now: () => clock(), log, fail })
  })
  afterAll(async () => {
    await bus.close()
    await invoices.close()
    fs.rmSync(folder, { recursive: true })
  })
  beforeEach(() => (clock = () => new Date()))

  const create = (fields: Partial<InvoiceContent> = {}, draft = false) =>
    invoices.handlers.createInvoice({ issuer, content: content(fields), draft }, call())
  const get = (invoiceId: string) => invoices.handlers.getInvoice({ invoiceId }, call())

  it('are limited by the day in Morocco', async () => {
    clock = () => new Date('2026-05-03T23:30:00Z')
    const on = (invoiceDate: string, dueDate?: string) => create({ invoiceDate, dueDate })
    const refusedFor = (...fields: string[]) => ({
      code: 'VALIDATION_ERROR',
      fieldErrors: fields.map((field) => expect.objectContaining({ field }) as object),
    })
    for (const date of ['2000-01-01', '2027-05-04']) expect((await on(date)).status).toBe('SIGNED')
    for (const date of ['1999-12-31', '2027-05-05', '9999-12-31']) {
      await expect(on(date)).rejects.toMatchObject(refusedFor('invoiceDate'))
    }
    expect((await on('2026-05-03', '2036-05-03')).status).toBe('SIGNED')
    await expect(on('2026-05-03', '2036-05-04')).rejects.toMatchObject(refusedFor('dueDate'))
    await expect(on('1999-01-01', '2026-05-03')).rejects.toMatchObject(
      refusedFor('invoiceDate', 'dueDate'),
    )
  })

  it('are checked again when a stored draft is changed or signed', async () => {
    clock = () => new Date('2127-01-01T12:00:00Z')
    const draft = await create({ invoiceDate: '2127-06-01' }, true)
    clock = () => new Date('2026-05-03T12:00:00Z')
    const edit = (fields: Partial<InvoiceContent>) =>
      invoices.handlers.updateInvoice(update(draft.id, fields), call())
    const sign = () => invoices.handlers.signInvoice({ invoiceId: draft.id, issuer }, call())
    const message = 'must not be later than one year after today (2027-05-03); got 2127-06-01'
    const refused = { code: 'VALIDATION_ERROR', fieldErrors: [{ field: 'invoiceDate', message }] }
    await expect(sign()).rejects.toMatchObject(refused)
    await expect(edit({ buyerName: 'B' })).rejects.toMatchObject(refused)
    expect(await get(draft.id)).toEqual(draft)
    await edit({ invoiceDate: '2027-05-03' })
    expect((await sign()).status).toBe('SIGNED')
  })
})
