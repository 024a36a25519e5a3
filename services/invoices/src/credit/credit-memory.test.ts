/** What a credit note reads and writes of its originals, and holds while it waits. */

import { randomUUID } from 'node:crypto'
import { createLog } from '@einvoicing/runtime/log'
import type { Invoice, PrecedingInvoice } from '@einvoicing/proto/invoice'
import { createInvoice } from '../create-invoice'
import { recordRejected } from '../record-clearance'
import { signDraft } from '../sign-draft'
import type { InvoiceStore } from '../store/store'
import { anInvoice, signedWrite, write } from '../store/testdata/invoices'
import { useSqliteStore } from '../store/testdata/sqlite'
import { call, content, issuer, neighbours } from '../testdata/neighbours'
import { commitCredit } from './commit-credit'
import { rejected } from './testdata/credits'

let stored: InvoiceStore
useSqliteStore((store) => (stored = store))

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

const elsewhere = [{ invoiceNumber: 'X-1', invoiceDate: '2026-05-03' }]

function startWaiting(spare: number) {
  let commitAll = () => {}
  const mayCommit = new Promise<void>((resolve) => (commitAll = resolve))
  const changeTogether: InvoiceStore['changeTogether'] = async (changes) => {
    await mayCommit
    return stored.changeTogether(changes)
  }
  const under = deps({ ...stored, changeTogether })
  const commit = () => {
    const xml = Buffer.alloc(8 * 1024 * 1024 - spare)
    const write = { ...signedWrite(aNote(elsewhere)), xml }
    return commitCredit(under, { seen: undefined, write }, call())
  }
  return { under, commit, commitAll, waiting: Array.from({ length: 8 }, commit) }
}

const overload = { code: 'SERVICE_UNAVAILABLE', retryAfterSeconds: 5 }

test('those that wait for their turn hold at most 64 MiB', async () => {
  const { commit, commitAll, waiting } = startWaiting(8 * 1024)
  await expect(commit()).rejects.toMatchObject(overload)
  commitAll()
  for (const each of await Promise.all(waiting)) expect(each?.status).toBe('SIGNED')
  expect((await commit())?.status).toBe('SIGNED')
}, 20_000)

test('while as many wait as may, no other note is signed', async () => {
  const { under, commitAll, waiting } = startWaiting(5 * 1024)
  const around = neighbours()
  const all = { ...around, ...under, newInvoiceId: randomUUID }
  const newerContent = content({
    type: 'CREDIT_NOTE',
    correctionReason: 'Retour',
    precedingInvoices: { items: elsewhere },
  })
  const create = (draft: boolean) =>
    createInvoice(all, { issuer, draft, content: undefined, newerContent }, call())
  await expect(create(false)).rejects.toMatchObject(overload)
  const { id: invoiceId } = await create(true)
  const sign = () => signDraft(all, { invoiceId, issuer }, call())
  await expect(sign()).rejects.toMatchObject(overload)
  expect(around.signatures()).toBe(0)
  commitAll()
  await Promise.all(waiting)
  expect((await sign()).status).toBe('SIGNED')
  expect(around.signatures()).toBe(1)
}, 20_000)
