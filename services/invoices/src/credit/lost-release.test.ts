/** A process of the release before decides an invoice without what follows for its credit notes. */

import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { openInProcessBus } from '@einvoicing/events/in-process/in-process-bus'
import { createLog } from '@einvoicing/runtime/log'
import type { InvoiceStatus } from '@einvoicing/proto/invoice'
import { openSqliteStore } from '../store/sqlite/sqlite-store'
import { anInvoice, write } from '../store/testdata/invoices'
import { startSweeper } from '../sweep'
import { untilHolds } from '../testdata/neighbours'

const log = createLog('silent')

it.each<[InvoiceStatus, InvoiceStatus, number]>([
  ['ACCEPTED', 'SIGNED', 1],
  ['REJECTED', 'FAILED', 0],
])('the sweeper repeats it: original %s, credit note %s', async (decision, status, booked) => {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'lost-release-'))
  const store = await openSqliteStore(path.join(folder, 'invoices.db'), (error) => {
    throw error
  })
  const original = anInvoice({ status: decision })
  const note = anInvoice({
    type: 'CREDIT_NOTE',
    precedingInvoices: { items: [{ id: original.id }] },
    waitsFor: { invoiceIds: [original.id] },
  })
  const bases = [{ vatCategory: 'S', vatRate: 20, amount: 300 }]
  const { id: creditNoteId, invoiceNumber } = note
  const items = [{ creditNoteId, invoiceNumber, bases, amountTtc: 360 }]
  await store.create(write({ ...original, credits: { items } }))
  await store.create(write(note))

  const bus = openInProcessBus(log)
  const sweeper = startSweeper({ store, bus, now: () => new Date(), log })
  const swept = await untilHolds(
    async () => (await store.get('org-1', note.id))!,
    ({ waitsFor }) => waitsFor === undefined,
  )
  expect(swept.status).toBe(status)
  const { credits } = (await store.get('org-1', original.id))!
  expect(credits?.items).toHaveLength(booked)
  const outgoing = await store.listOutbox(undefined, 10)
  expect(outgoing.map(({ event }) => event.subject)).toEqual(booked ? [note.id] : [])
  await sweeper.close()
  await bus.close()
  await store.close()
  fs.rmSync(folder, { recursive: true })
})
