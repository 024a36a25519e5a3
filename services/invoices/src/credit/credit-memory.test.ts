/** What a credit note reads and writes of its originals, and holds while it waits. */

import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { createLog } from '@einvoicing/runtime/log'
import type { Invoice, PrecedingInvoice } from '@einvoicing/proto/invoice'
import { recordRejected } from '../record-clearance'
import { openSqliteStore } from '../store/sqlite/sqlite-store'
import type { InvoiceStore } from '../store/store'
import { anInvoice, signedWrite, write } from '../store/testdata/invoices'
import { call } from '../testdata/neighbours'
import { commitCredit } from './commit-credit'
import { rejected } from './testdata/credits'

let folder: string
let stored: InvoiceStore
beforeEach(async () => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'many-lines-'))
  stored = await openSqliteStore(path.join(folder, 'invoices.db'), (error) => {
    throw error
  })
})
afterEach(async () => {
  await stored.close()
  fs.rmSync(folder, { recursive: true })
})

/** Adds up the lines of what is read and written. */
function countLines() {
  const counts = { read: 0, written: 0 }
  const get: InvoiceStore['get'] = async (organizationId, id) => {
    const found = await stored.get(organizationId, id)
    counts.read += found?.lines.length ?? 0
    return found
  }
  const changeTogether: InvoiceStore['changeTogether'] = (changes) => {
    for (const { write: each } of changes) counts.written += each.invoice.lines.length
    return stored.changeTogether(changes)
  }
  return { counts, store: { ...stored, get, changeTogether } }
}

const deps = (store: InvoiceStore) => ({ store, now: () => new Date(), log: createLog('silent') })

const createOriginals = async (count: number) => {
  const [line] = anInvoice().lines
  const lines = Array.from({ length: 500 }, (_, index) => ({ ...line!, lineNumber: index + 1 }))
  const originals = Array.from({ length: count }, () => anInvoice({ lines, status: 'ACCEPTED' }))
  for (const each of originals) await stored.create(write(each))
  return originals
}

const aNote = (items: PrecedingInvoice[]) =>
  anInvoice({
    type: 'CREDIT_NOTE',
    xmlSha256: 'ab'.repeat(32),
    precedingInvoices: { items },
    vatSubtotals: [{ vatRate: 20, taxableAmount: 600, vatAmount: 120 }],
    amountTtc: 720,
  })

const expectBooked = async (originals: readonly Invoice[], booked: number) => {
  for (const original of originals) {
    const { lines, credits } = (await stored.get('org-1', original.id))!
    expect(lines).toEqual(original.lines)
    expect(credits?.items).toHaveLength(booked)
  }
}

test('a booking and its release neither read nor write the lines of the originals', async () => {
  const originals = await createOriginals(3)
  const note = aNote(originals.map(({ id }) => ({ id })))
  const { counts, store } = countLines()
  await commitCredit(deps(store), { seen: undefined, write: signedWrite(note) }, call())
  expect(counts).toEqual({ read: 0, written: 1 })
  await expectBooked(originals, 1)

  const event = { subject: note.id, organizationid: 'org-1', data: rejected }
  await recordRejected(deps(store), event as never)
  // The note itself, as it is transmitted and rejected.
  expect(counts).toEqual({ read: 1, written: 2 })
  await expectBooked(originals, 0)
})

test('those that wait for their turn hold at most 64 MiB', async () => {
  let commitAll = () => {}
  const mayCommit = new Promise<void>((resolve) => (commitAll = resolve))
  const changeTogether: InvoiceStore['changeTogether'] = async (changes) => {
    await mayCommit
    return stored.changeTogether(changes)
  }
  const under = deps({ ...stored, changeTogether })
  const commit = () => {
    const note = aNote([{ invoiceNumber: 'X-1', invoiceDate: '2026-05-03' }])
    const write = { ...signedWrite(note), xml: Buffer.alloc(8 * 1024 * 1024 - 8 * 1024) }
    return commitCredit(under, { seen: undefined, write }, call())
  }
  const waiting = Array.from({ length: 8 }, commit)
  await expect(commit()).rejects.toMatchObject({
    code: 'SERVICE_UNAVAILABLE',
    retryAfterSeconds: 5,
  })
  commitAll()
  for (const each of await Promise.all(waiting)) expect(each?.status).toBe('SIGNED')
  expect((await commit())?.status).toBe('SIGNED')
}, 20_000)
