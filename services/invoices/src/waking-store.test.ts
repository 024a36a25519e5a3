import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { createLog } from '@einvoicing/runtime/log'
import { auditEntry } from './audit'
import { transitions } from './metrics'
import { signedEvent } from './signed-event'
import { openSqliteStore } from './store/sqlite/sqlite-store'
import type { InvoiceStore } from './store/store'
import { anInvoice, later, signedWrite, write } from './store/testdata/invoices'
import { openWakingStore } from './waking-store'

describe('after a write', () => {
  let folder: string
  let store: InvoiceStore
  let woken: string[]

  beforeEach(async () => {
    folder = fs.mkdtempSync(path.join(os.tmpdir(), 'waking-store-'))
    woken = []
    const file = path.join(folder, 'invoices.db')
    const opened = await openSqliteStore(file, (error) => {
      throw error
    })
    store = openWakingStore(opened, {
      relay: { wake: () => void woken.push('relay') },
      archiver: { wake: () => void woken.push('archiver') },
      log: createLog('silent'),
    })
  })
  afterEach(async () => {
    await store.close()
    fs.rmSync(folder, { recursive: true })
  })

  it('the event is published and the document archived at once', async () => {
    const invoice = anInvoice()
    expect(await store.create(signedWrite(invoice))).toBe('created')
    expect(woken).toEqual(['relay', 'archiver'])
    const accepted = later(invoice, { status: 'ACCEPTED' })
    await store.change(invoice, write(accepted, { work: 'final' }))
    expect(woken).toEqual(['relay', 'archiver', 'archiver'])
  })

  it('a credit note that fails with its invoice is not counted as FAILED', async () => {
    const count = async (to: string) =>
      (await transitions.get()).values.find(({ labels }) => labels.to === to)?.value ?? 0
    const counts = () => Promise.all(['FAILED', 'PRECEDING_INVOICE_REJECTED'].map(count))
    const [failed = 0, apart = 0] = await counts()
    const note = anInvoice({ type: 'CREDIT_NOTE' })
    await store.create(write(note))
    const fields = { status: 'FAILED', dgiErrorCode: 'PRECEDING_INVOICE_REJECTED' } as const
    await store.change(note, write(later(note, fields)))
    expect(await counts()).toEqual([failed, apart + 1])
    const invoice = anInvoice()
    await store.create(write(invoice))
    const busy = { ...fields, dgiErrorCode: 'AUTHORITY_BUSY' }
    await store.change(invoice, write(later(invoice, busy)))
    expect(await counts()).toEqual([failed + 1, apart + 1])
  })

  it('nothing is woken by a write that was not applied', async () => {
    const invoice = anInvoice()
    await store.create(write(invoice))
    const { invoiceNumber } = invoice
    expect(await store.create(signedWrite(anInvoice({ invoiceNumber })))).toBe('number-taken')
    const changed = later(invoice, {})
    const change = { seen: changed, write: signedWrite(changed) }
    expect(await store.changeTogether([change])).toBe('moved')
    expect(woken).toEqual([])
  })

  it('a credit note whose original was decided is sent at once, in the same status', async () => {
    const original = anInvoice()
    const note = anInvoice({ type: 'CREDIT_NOTE', waitsFor: { invoiceIds: [original.id] } })
    await store.create(write(original))
    await store.create(write(note))
    const accepted = later(original, { status: 'ACCEPTED' })
    const released = later(note, { waitsFor: undefined })
    const { updatedAt: at, id: invoiceId } = released
    const audit = auditEntry('invoice.wait-ended', { at, actor: 'service:invoices', invoiceId })
    await store.changeTogether([
      { seen: original, write: write(accepted) },
      { seen: note, write: { invoice: released, audit, event: signedEvent(released) } },
    ])
    expect(woken).toEqual(['relay'])
  })
})
