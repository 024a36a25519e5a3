/** An original of many credit notes that wait for it, of which no commit holds more than some. */

import type { Bus } from '@einvoicing/events/bus'
import { createLog } from '@einvoicing/runtime/log'
import type { Invoice } from '@einvoicing/proto/invoice'
import { recordAccepted, recordRejected } from '../record-clearance'
import type { InvoiceStore } from '../store/store'
import { anInvoice, later, write } from '../store/testdata/invoices'
import { useSqliteStore } from '../store/testdata/sqlite'
import { startSweeper } from '../sweep'
import { settleWaitingNote } from './waiting-notes'
import { accepted, rejected } from './testdata/credits'

const noteCount = 12
const linesMax = 14_000

let stored: InvoiceStore
useSqliteStore((store) => (stored = store))

/** The first waits for its decision; the others are accepted. */
async function createWaiting(
  others: number,
  { notes: count, lines }: Record<'notes' | 'lines', number>,
) {
  const [line] = anInvoice().lines
  const originals = [
    anInvoice({ status: 'TRANSMITTED' }),
    ...Array.from({ length: others }, () => anInvoice({ status: 'ACCEPTED' })),
  ]
  const notes = Array.from({ length: count }, () =>
    anInvoice({
      type: 'CREDIT_NOTE',
      lines: Array.from({ length: lines }, (_, index) => ({ ...line!, lineNumber: index + 1 })),
      precedingInvoices: { items: originals.map(({ id }) => ({ id })) },
      waitsFor: { invoiceIds: [originals[0]!.id] },
      clearanceStartedAt: undefined,
    }),
  )
  const bases = [{ vatCategory: 'S', vatRate: 20, amount: 1 }]
  const items = notes.map(({ id: creditNoteId, invoiceNumber }) => {
    return { creditNoteId, invoiceNumber, bases, amountTtc: 1 }
  })
  for (const each of originals) await stored.create(write({ ...each, credits: { items } }))
  for (const each of notes) await stored.create(write(each))
  return { originals, notes }
}

const event = (invoice: Invoice, data: object) =>
  ({ subject: invoice.id, organizationid: invoice.organizationId, data }) as never
const get = async ({ id }: Invoice) => (await stored.get('org-1', id))!
const readReleased = async ({ id }: Invoice) => {
  const entries = await stored.listAuditOfInvoice('org-1', id, 9)
  const released = entries.filter(({ action }) => action === 'invoice.credit-released')
  return released.map(({ detail }) => detail)
}
const sent = async () =>
  (await stored.listOutbox(undefined, 99)).map(({ event: { subject } }) => subject)
/** Rejects a commit of more lines, and the one of this number. */
const bound = (failing?: number): InvoiceStore => {
  let commits = 0
  const changeTogether: InvoiceStore['changeTogether'] = async (changes) => {
    const lines = changes.reduce((sum, change) => sum + change.write.invoice.lines.length, 0)
    if (lines > linesMax) throw new Error(`${lines} lines`)
    if (++commits === failing) throw new Error('unavailable')
    return stored.changeTogether(changes)
  }
  return { ...stored, changeTogether }
}
const deps = (store: InvoiceStore) => ({ store, now: () => new Date(), log: createLog('silent') })

it('is accepted, and all of them are sent', async () => {
  const { originals, notes } = await createWaiting(0, { notes: noteCount, lines: 2_000 })
  const [original] = originals
  await recordAccepted(deps(bound()), event(original!, accepted))
  expect((await get(original!)).status).toBe('ACCEPTED')
  for (const note of notes) expect((await get(note)).waitsFor).toBeUndefined()
  expect((await sent()).sort()).toEqual(notes.map(({ id }) => id).sort())
})

it('is rejected, and all of them fail, the last ones once the store is available again', async () => {
  const { originals, notes } = await createWaiting(1, { notes: noteCount, lines: 2_000 })
  const [original, other] = originals
  const under = deps(bound(3))
  await expect(recordRejected(under, event(original!, rejected))).rejects.toThrow('unavailable')
  expect((await get(original!)).status).toBe('REJECTED')
  await recordRejected(under, event(original!, rejected))
  for (const note of notes) expect(await get(note)).toMatchObject({ status: 'FAILED' })
  for (const each of [original, other]) expect((await get(each!)).credits?.items).toEqual([])
  expect(await sent()).toEqual([])
}, 60_000)

it('is rejected, and another original logs that each of them released it', async () => {
  const { originals, notes } = await createWaiting(1, { notes: 2, lines: 1 })
  const [original, other] = originals
  await recordRejected(deps(stored), event(original!, rejected))
  expect(await readReleased(other!)).toEqual(
    notes.map(({ invoiceNumber }) => `credit note ${invoiceNumber}`),
  )
  expect((await get(other!)).credits?.items).toEqual([])
})

it('is rejected, and logs itself that each of them released it', async () => {
  const { originals, notes } = await createWaiting(0, { notes: 2, lines: 1 })
  const [original] = originals
  await recordRejected(deps(stored), event(original!, rejected))
  expect(await readReleased(original!)).toEqual(
    notes.map(({ invoiceNumber }) => `credit note ${invoiceNumber}`),
  )
  expect((await get(original!)).credits?.items).toEqual([])
})

it('is accepted after another was rejected, and logs that the credit note released it', async () => {
  const [accepting, other] = [
    anInvoice({ status: 'TRANSMITTED' }),
    anInvoice({ status: 'REJECTED' }),
  ]
  const items = [accepting, other].map(({ id }) => ({ id }))
  const note = anInvoice({
    type: 'CREDIT_NOTE',
    precedingInvoices: { items },
    waitsFor: { invoiceIds: items.map(({ id }) => id) },
  })
  const { id: creditNoteId, invoiceNumber } = note
  const credits = { items: [{ creditNoteId, invoiceNumber, bases: [], amountTtc: 1 }] }
  for (const each of [accepting, other]) await stored.create(write({ ...each, credits }))
  await stored.create(write(note))
  await recordAccepted(deps(stored), event(accepting, accepted))
  expect((await get(accepting)).status).toBe('ACCEPTED')
  expect((await get(note)).status).toBe('FAILED')
  for (const each of [accepting, other]) {
    expect(await readReleased(each)).toEqual([`credit note ${invoiceNumber}`])
    expect((await get(each)).credits?.items).toEqual([])
  }
})

it('is rejected, and its commit holds other originals of its first credit notes only', async () => {
  const booked = (notes: readonly Invoice[]) => ({
    items: notes.map(({ id, invoiceNumber }) => {
      return { creditNoteId: id, invoiceNumber, bases: [], amountTtc: 1 }
    }),
  })
  const original = anInvoice({ status: 'TRANSMITTED' })
  const notes = Array.from({ length: 10 }, () => ({
    others: Array.from({ length: 3 }, () => anInvoice({ status: 'ACCEPTED' })),
    note: anInvoice({ type: 'CREDIT_NOTE', waitsFor: { invoiceIds: [original.id] } }),
  }))
  for (const { note, others } of notes) {
    for (const each of others) await stored.create(write({ ...each, credits: booked([note]) }))
    const items = [original, ...others].map(({ id }) => ({ id }))
    await stored.create(write({ ...note, precedingInvoices: { items } }))
  }
  const credits = booked(notes.map(({ note }) => note))
  await stored.create(write({ ...original, credits }))
  const sizes: number[] = []
  const changeTogether: InvoiceStore['changeTogether'] = (changes) => {
    sizes.push(changes.length)
    return stored.changeTogether(changes)
  }
  await recordRejected(deps({ ...stored, changeTogether }), event(original, rejected))
  // Originals of 2,000 lines each may be among them.
  expect(Math.max(...sizes)).toBeLessThan(10)
  for (const { note, others } of notes) {
    expect((await get(note)).status).toBe('FAILED')
    for (const each of others) expect((await get(each)).credits?.items).toEqual([])
  }
})

describe('of many documents, it reads only', () => {
  let read: string[]
  let under: ReturnType<typeof deps>
  beforeEach(() => {
    read = []
    const get: InvoiceStore['get'] = (organizationId, id) => {
      read.push(id)
      return stored.get(organizationId, id)
    }
    under = deps({ ...stored, get })
  })

  it('the note, where all of its originals were accepted', async () => {
    const originals = Array.from({ length: 20 }, () => anInvoice({ status: 'ACCEPTED' }))
    const invoiceIds = originals.map(({ id }) => id)
    const note = anInvoice({ type: 'CREDIT_NOTE', waitsFor: { invoiceIds } })
    for (const each of [...originals, note]) await stored.create(write(each))
    await settleWaitingNote(under, 'org-1', note.id)
    expect(read).toEqual([note.id])
    expect(await sent()).toEqual([note.id])
  })

  it('the original and the notes that wait for it', async () => {
    const { originals, notes } = await createWaiting(0, { notes: 4, lines: 1 })
    const waiting = notes[2]!
    for (const note of notes.filter((each) => each !== waiting)) {
      const decided = { ...note, status: 'ACCEPTED' as const, waitsFor: undefined }
      await stored.change(note, write(later(note, decided)))
    }
    await recordAccepted(under, event(originals[0]!, accepted))
    expect(new Set(read)).toEqual(new Set([originals[0]!.id, waiting.id]))
    expect(await sent()).toEqual([waiting.id])
  })

  it('of the notes that the sweeper finds, those with a decided original', async () => {
    const originals = (['TRANSMITTED', 'FAILED', 'ACCEPTED'] as const).map((status) =>
      anInvoice({ status }),
    )
    const [waiting, failed, over] = originals.map(({ id }) => {
      return anInvoice({ type: 'CREDIT_NOTE', waitsFor: { invoiceIds: [id] } })
    })
    const elsewhere = { ...waiting!, id: 'elsewhere', organizationId: 'org-2' }
    for (const each of [...originals, waiting!, failed!, over!]) await stored.create(write(each))
    const bus = { publish: async () => undefined, onLoss: () => undefined } as unknown as Bus
    await stored.create(write(elsewhere))
    const sweeper = startSweeper({ ...under, bus })
    while ((await sent()).length === 0) await new Promise(setImmediate)
    await sweeper.close()
    expect(read).toEqual([over!.id])
    expect(await sent()).toEqual([over!.id])
  })
})
