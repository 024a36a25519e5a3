/**
 * What every InvoiceStore must do. Adapters' tests call this with a way to open one, and to open it
 * again on what it kept.
 */

import type { Invoice } from '@einvoicing/proto/invoice'
import type { ListInvoicesRequest } from '@einvoicing/proto/invoices'
import { signedEvent } from '../signed-event'
import { togetherContract } from './together.contract'
import { neverSentContract } from './never-sent.contract'
import { queuedWorkContract } from './queued-work.contract'
import { failedContract } from './failed.contract'
import { boundWritesContract } from './bound-writes.contract'
import { listingContract } from './listing.contract'
import { readingContract } from './reading.contract'
import type { InvoiceStore, Position } from './store'
import {
  anInvoice,
  audit,
  dueWork,
  later,
  listRequest,
  moment,
  signedWrite,
  write,
  type StoreUnderTest,
} from './testdata/invoices'

const toPosition = ({ position }: { position: Position }) => position

export function invoiceStoreContract(open: () => Promise<StoreUnderTest>): void {
  let under: StoreUnderTest
  let store: InvoiceStore

  beforeEach(async () => {
    under = await open()
    store = under.store
  })
  afterEach(() => under.remove())

  readingContract(() => store)
  listingContract(
    () => store,
    async () => (store = await under.reopen()),
  )
  failedContract(() => store)
  togetherContract(() => store)
  boundWritesContract(() => store)
  neverSentContract(() => ({ store, reopen: async () => (store = await under.reopen()) }))
  queuedWorkContract(() => ({ store, reopen: async () => (store = await under.reopen()) }))

  describe('create', () => {
    it('keeps invoice, XML, audit, event and archive work in one commit', async () => {
      const invoice = anInvoice()
      expect(await store.create(signedWrite(invoice))).toBe('created')
      store = await under.reopen()
      expect(await store.get('org-1', invoice.id)).toEqual(invoice)
      expect(String(await store.readXml('org-1', invoice.id))).toContain(invoice.id)
      expect((await store.listAudit('org-1', { page: 0, size: 10 })).entries).toMatchObject([
        audit(invoice),
      ])
      expect((await store.listOutbox(undefined, 10)).map(({ event }) => event)).toEqual([
        signedEvent(invoice),
      ])
      expect(await dueWork(store)).toMatchObject([{ invoiceId: invoice.id, part: 'signed-xml' }])
    })

    it('uses a number once in an organization, and leaves nothing of the loser', async () => {
      const rivals = Array.from({ length: 50 }, () => anInvoice({ invoiceNumber: 'F-1' }))
      const outcomes = await Promise.all(rivals.map((rival) => store.create(signedWrite(rival))))
      expect(outcomes.filter((outcome) => outcome === 'created')).toHaveLength(1)
      expect(outcomes.filter((outcome) => outcome === 'number-taken')).toHaveLength(49)
      expect((await store.listAudit('org-1', { page: 0, size: 100 })).total).toBe(1)
      expect(await store.listOutbox(undefined, 100)).toHaveLength(1)
      expect(await dueWork(store)).toHaveLength(1)
    })

    it('lets another organization use the same number', async () => {
      await store.create(write(anInvoice({ invoiceNumber: 'F-1' })))
      const other = anInvoice({ invoiceNumber: 'F-1', organizationId: 'org-2' })
      expect(await store.create(write(other))).toBe('created')
    })
  })

  describe('change', () => {
    it('applies only to the version that was read', async () => {
      const draft = anInvoice({ status: 'PENDING' })
      await store.create(write(draft))
      const signed = later(draft, { status: 'SIGNED', amountHt: 5 })
      expect(await store.change(draft, signedWrite(signed))).toBe('changed')
      expect(await store.get('org-1', draft.id)).toEqual(signed)
      expect(await store.listOutbox(undefined, 10)).toHaveLength(1)
    })

    it('rejects a change when status or updatedAt is no longer the one read, and writes nothing', async () => {
      const draft = anInvoice({ status: 'PENDING' })
      await store.create(write(draft))
      const edited = later(draft, { buyerName: 'A' })
      await store.change(draft, write(edited))
      const stale = later(draft, { buyerName: 'B' })
      expect(await store.change(draft, signedWrite(stale))).toBe('moved')
      expect(await store.change({ ...edited, status: 'SIGNED' }, write(stale))).toBe('moved')
      expect(await store.get('org-1', draft.id)).toEqual(edited)
      expect(await store.listOutbox(undefined, 10)).toEqual([])
      expect(await store.readXml('org-1', draft.id)).toBeUndefined()
    })

    it('lets exactly one of many simultaneous changes through', async () => {
      const draft = anInvoice({ status: 'PENDING' })
      await store.create(write(draft))
      const outcomes = await Promise.all(
        Array.from({ length: 20 }, () => store.change(draft, write(later(draft, {})))),
      )
      expect(outcomes.filter((outcome) => outcome === 'changed')).toHaveLength(1)
    })

    it('refuses a number that another invoice has', async () => {
      await store.create(write(anInvoice({ invoiceNumber: 'F-1' })))
      const draft = anInvoice({ status: 'PENDING' })
      await store.create(write(draft))
      const renumbered = later(draft, { invoiceNumber: 'F-1' })
      expect(await store.change(draft, write(renumbered))).toBe('number-taken')
      expect(await store.get('org-1', draft.id)).toEqual(draft)
    })

    it('never reaches another organization', async () => {
      const draft = anInvoice({ status: 'PENDING' })
      await store.create(write(draft))
      const stranger = later({ ...draft, organizationId: 'org-2' }, { buyerName: 'X' })
      expect(await store.change(draft, write(stranger))).toBe('moved')
    })
  })

  describe('reads', () => {
    it('separates organizations at every endpoint', async () => {
      const invoice = anInvoice()
      await store.create(signedWrite(invoice))
      expect(await store.get('org-2', invoice.id)).toBeUndefined()
      expect(await store.readXml('org-2', invoice.id)).toBeUndefined()
      expect(await store.list('org-2', listRequest())).toEqual({ invoices: [], total: 0 })
      expect(await store.listAudit('org-2', { page: 0, size: 10 })).toEqual({
        entries: [],
        total: 0,
      })
    })

    it('lists without lines, in pages that never overlap, ties broken by id', async () => {
      const many = Array.from({ length: 25 }, () => anInvoice({ invoiceDate: '2026-01-01' }))
      for (const invoice of many) await store.create(write(invoice))
      const page = (number: number) =>
        store.list(
          'org-1',
          listRequest({ page: { page: number, size: 10 }, sortBy: 'invoiceDate' }),
        )
      const pages = await Promise.all([page(0), page(1), page(2), page(3)])
      const ids = pages.flatMap(({ invoices }) => invoices.map(({ id }) => id))
      expect(ids).toEqual(
        many
          .map(({ id }) => id)
          .toSorted()
          .toReversed(),
      )
      expect(pages.map(({ total }) => total)).toEqual([25, 25, 25, 25])
      expect(pages[0].invoices[0]?.lines).toEqual([])
    })

    it.each([
      ['amountTtc', [{ amountTtc: 9 }, { amountTtc: 10 }, { amountTtc: 900 }]],
      ['amountHt', [{ amountHt: 9 }, { amountHt: 10 }, { amountHt: 900 }]],
      ['amountVat', [{ amountVat: 9 }, { amountVat: 10 }, { amountVat: 900 }]],
      ['buyerName', [{}, { buyerName: 'A' }, { buyerName: 'B' }]],
      ['dueDate', [{}, { dueDate: '2026-01-01' }, { dueDate: '2026-02-01' }]],
      ['invoiceNumber', [{ invoiceNumber: 'A' }, { invoiceNumber: 'B' }, { invoiceNumber: 'a' }]],
      ['status', [{ status: 'ACCEPTED' }, { status: 'FAILED' }, { status: 'SIGNED' }]],
      ['invoiceDate', [{ invoiceDate: '2025-12-31' }, { invoiceDate: '2026-01-01' }, {}]],
      ['createdAt', [{}, {}, {}]],
      ['updatedAt', [{}, {}, {}]],
      [
        'amountTtc',
        [
          { amountTtc: 538, currency: 'MAD' },
          { amountTtc: 5381, currency: 'TND' },
          { amountTtc: 6, currency: 'JPY' },
        ],
      ],
    ] as [string, Partial<Invoice>[]][])('sorts by %s both ways', async (sortBy, ascending) => {
      const invoices = ascending.map((fields) => anInvoice(fields))
      for (const invoice of [2, 0, 1]) await store.create(write(invoices[invoice] as Invoice))
      const sorted = async (descending: boolean) => {
        const page = await store.list('org-1', listRequest({ sortBy, descending }))
        return page.invoices.map(({ id }) => id)
      }
      const ids = invoices.map(({ id }) => id)
      expect(await sorted(false)).toEqual(ids)
      expect(await sorted(true)).toEqual(ids.toReversed())
    })

    it('filters by status, number, buyer and dates, bounds included', async () => {
      const wanted = anInvoice({
        status: 'ACCEPTED',
        invoiceNumber: 'F-7',
        buyerIce: '001234567000089',
        invoiceDate: '2026-03-01',
      })
      await store.create(write(wanted))
      await store.create(write(anInvoice({ invoiceDate: '2026-02-28' })))
      await store.create(write(anInvoice({ invoiceDate: '2026-03-02' })))
      const filters: Partial<ListInvoicesRequest>[] = [
        { status: 'ACCEPTED' },
        { invoiceNumber: 'F-7' },
        { buyerIce: '001234567000089' },
        { invoiceDateFrom: '2026-03-01', invoiceDateTo: '2026-03-01' },
      ]
      for (const filter of filters) {
        const page = await store.list('org-1', listRequest(filter))
        expect(page.invoices.map(({ id }) => id)).toEqual([wanted.id])
        expect(page.total).toBe(1)
      }
      const none = await store.list(
        'org-1',
        listRequest({ status: 'FAILED', invoiceNumber: 'F-7' }),
      )
      expect(none.total).toBe(0)
    })

    it('finds a number in any stored or requested Unicode form', async () => {
      const [composed, decomposed] = ['Réf', 'Re\u0301f']
      const invoices = [composed, decomposed].map((invoiceNumber) => anInvoice({ invoiceNumber }))
      for (const invoice of invoices) await store.create(write(invoice))
      for (const invoiceNumber of [composed, decomposed]) {
        const page = await store.list('org-1', listRequest({ invoiceNumber }))
        expect(page.invoices.map(({ id }) => id).sort()).toEqual(
          invoices.map(({ id }) => id).sort(),
        )
        expect(page.total).toBe(2)
      }
    })

    it('orders the audit by the moment of each entry, not by the order of commits', async () => {
      const [earlier, later] = [anInvoice(), anInvoice()]
      for (const invoice of [later, earlier]) await store.create(write(invoice))
      const { entries } = await store.listAudit('org-1', { page: 0, size: 10 })
      expect(entries.map(({ invoiceId }) => invoiceId)).toEqual([later.id, earlier.id])
    })

    it('gives the audit newest first', async () => {
      const draft = anInvoice({ status: 'PENDING' })
      await store.create(write(draft))
      const edited = later(draft, {})
      await store.change(draft, { invoice: edited, audit: audit(edited, 'invoice.updated') })
      const { entries } = await store.listAudit('org-1', { page: 0, size: 1 })
      expect(entries.map(({ action }) => action)).toEqual(['invoice.updated'])
      const second = await store.listAudit('org-1', { page: 1, size: 1 })
      expect(second).toMatchObject({ total: 2, entries: [{ action: 'invoice.created' }] })
    })
  })

  describe('what is still to be done', () => {
    it('lists events in the order of their commits until they are deleted', async () => {
      const invoices = [anInvoice(), anInvoice(), anInvoice()]
      for (const invoice of invoices) await store.create(signedWrite(invoice))
      const first = await store.listOutbox(undefined, 2)
      expect(first.map(({ event }) => event.subject)).toEqual(
        invoices.slice(0, 2).map(({ id }) => id),
      )
      const rest = await store.listOutbox(first[1]?.position, 2)
      expect(rest.map(({ event }) => event.subject)).toEqual([invoices[2]?.id])
      await store.forgetOutbox(first.map(toPosition))
      store = await under.reopen()
      expect((await store.listOutbox(undefined, 10)).map(({ event }) => event.subject)).toEqual([
        invoices[2]?.id,
      ])
    })

    it('lists every event of one invoice, and deletes none that was not listed', async () => {
      const invoice = anInvoice()
      await store.create(signedWrite(invoice))
      const first = await store.listOutbox(undefined, 10)
      const again = later(invoice, { clearanceStartedAt: moment() })
      await store.change(invoice, write(again, { event: signedEvent(again) }))
      const ids = async () => (await store.listOutbox(undefined, 10)).map(({ event }) => event.id)
      expect(await ids()).toEqual([signedEvent(invoice).id, signedEvent(again).id])
      await store.forgetOutbox(first.map(toPosition))
      expect(await ids()).toContain(signedEvent(again).id)
      await store.forgetOutbox((await store.listOutbox(undefined, 10)).map(toPosition))
      expect(await ids()).toEqual([])
    })

    it('lists undecided invoices, oldest first, and the age of the oldest', async () => {
      const undecided = [anInvoice(), anInvoice({ status: 'TRANSMITTED' }), anInvoice()]
      for (const invoice of undecided) await store.create(write(invoice))
      for (const status of ['ACCEPTED', 'REJECTED', 'FAILED', 'PENDING', 'CANCELLED'] as const) {
        await store.create(write(anInvoice({ status })))
      }
      const first = await store.listUndecided(moment(), undefined, 2)
      const rest = await store.listUndecided(moment(), first[1], 2)
      expect([...first, ...rest].map(({ id }) => id)).toEqual(undecided.map(({ id }) => id))
      expect(await store.listUndecided(undecided[0]?.updatedAt ?? '', undefined, 9)).toEqual([])
      expect(await store.oldestUndecided()).toBe(undecided[0]?.clearanceStartedAt)
    })

    it('has no age when nothing is undecided', async () => {
      await store.create(write(anInvoice({ status: 'ACCEPTED' })))
      expect(await store.oldestUndecided()).toBeUndefined()
    })

    it('drops the inline XML only when the archive has it', async () => {
      const invoice = anInvoice()
      await store.create(signedWrite(invoice))
      const [work] = await dueWork(store)
      if (!work) throw new Error('no archive work')
      await store.finishWork(work)
      expect(await store.readXml('org-1', invoice.id)).toBeUndefined()
      expect(await dueWork(store)).toEqual([])
      expect(await store.get('org-1', invoice.id)).toEqual(invoice)
    })
  })

  it('counts the backlog, and all invoices by status', async () => {
    const none = { count: 0, oldest: undefined }
    const long = { evidence: none, renewals: none }
    const rest = { archiveDeadLetters: none, timeStamps: none, ...long }
    expect(await store.backlogs()).toEqual({ outbox: none, archive: none, ...rest })
    for (const organizationId of ['org-1', 'org-2']) {
      await store.create(signedWrite(anInvoice({ organizationId })))
      for (const status of ['PENDING', 'REJECTED', 'ACCEPTED', 'ACCEPTED'] as const) {
        await store.create(write(anInvoice({ organizationId, status })))
      }
    }
    const counted = { PENDING: 2, SIGNED: 2, TRANSMITTED: 0, ACCEPTED: 4, REJECTED: 2 }
    const zero = { FAILED: 0, CANCELLED: 0, PRECEDING_INVOICE_REJECTED: 0 }
    expect(await store.countByStatus()).toEqual({ ...counted, ...zero })
    const aMoment = expect.stringMatching(/^20.*Z$/)
    const waiting = { count: 2, oldest: aMoment }
    expect(await store.backlogs()).toEqual({ outbox: waiting, archive: waiting, ...rest })

    const [work] = await dueWork(store)
    await store.finishWork(work!)
    await store.forgetOutbox((await store.listOutbox(undefined, 10)).map(toPosition))
    // The time stamp of what was archived waits now.
    const one = { count: 1, oldest: aMoment }
    const left = { ...rest, outbox: none, archive: one, timeStamps: one }
    expect(await store.backlogs()).toEqual(left)
  })

  it('finishes requested writes before it closes', async () => {
    const invoices = Array.from({ length: 40 }, () => anInvoice())
    const writes = Promise.all(invoices.map((invoice) => store.create(write(invoice))))
    store = await under.reopen()
    await writes
    expect((await store.list('org-1', listRequest())).total).toBe(40)
  })
}
