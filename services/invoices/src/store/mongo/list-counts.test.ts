import { randomUUID } from 'node:crypto'
import { createLog } from '@einvoicing/runtime/log'
import { describeWith } from '@einvoicing/servers/describe-with'
import { startMongod, type Mongod } from '@einvoicing/servers/mongod'
import type { Invoice } from '@einvoicing/proto/invoice'
import { patientTimes } from '@einvoicing/stores/testdata/patient-times'
import mongoose, { type Connection } from 'mongoose'
import { toContent } from './documents'
import { openMongoStore } from './mongo-store'
import { getInvoiceCollection, getListCounts } from './schema'
import type { InvoiceStore } from '../store'
import { anInvoice, later, listRequest, write } from '../testdata/invoices'
import { openAndKill } from '../testdata/opening-process'

const log = createLog('silent')
const uncounted = { 'order.counted': null }

describeWith('mongod', 'mongo, the counts of lists', () => {
  let server: Mongod
  let url: string
  let direct: Connection
  const opened: InvoiceStore[] = []
  beforeAll(async () => {
    server = await startMongod()
  })
  afterAll(() => server.dispose())
  beforeEach(async () => {
    url = server.url.replace(/\/(\?|$)/, `/lists_${randomUUID()}$1`)
    direct = await mongoose.createConnection(url).asPromise()
  })
  afterEach(async () => {
    await Promise.all(opened.splice(0).map((store) => store.close()))
    await direct.dropDatabase()
    await direct.close()
  })
  const open = async () => {
    const store = await openMongoStore(
      { kind: 'mongodb', url },
      { now: () => new Date(), log, times: patientTimes },
    )
    opened.push(store)
    return store
  }
  const invoices = () => getInvoiceCollection(direct.db!)
  const countUncounted = () => invoices().countDocuments(uncounted)

  /** As the release before writes: whole fields, and no knowledge of counts. */
  const asBefore = {
    async insert(many: readonly Invoice[]) {
      const documents = many.map((invoice) => {
        return { _id: invoice.id, organizationId: 'org-1', ...toContent(invoice) }
      })
      await invoices().insertMany(documents)
    },
    async change(invoice: Invoice) {
      await invoices().updateOne({ _id: invoice.id }, { $set: toContent(invoice) })
    },
  }

  async function untilCounted(): Promise<void> {
    const until = Date.now() + 60_000
    while ((await countUncounted()) > 0 && Date.now() < until) await pause(100)
    expect(await countUncounted()).toBe(0)
  }

  async function expectExact(store: InvoiceStore, all: readonly Invoice[]): Promise<void> {
    for (const sortBy of ['createdAt', 'amountTtc', 'updatedAt'] as const) {
      for (const status of [undefined, 'SIGNED', 'ACCEPTED'] as const) {
        const wanted = all.filter((one) => status === undefined || one.status === status)
        const sorted = wanted.toSorted((one, other) => {
          if (one[sortBy] === other[sortBy]) return one.id < other.id ? -1 : 1
          return one[sortBy] < other[sortBy] ? -1 : 1
        })
        const page = Math.floor(sorted.length / 40)
        const request = { sortBy, status, descending: false, page: { page, size: 20 } }
        const listed = await store.list('org-1', listRequest(request))
        expect(listed.total).toBe(sorted.length)
        const expected = sorted.slice(page * 20, (page + 1) * 20).map(({ id }) => id)
        expect(listed.invoices.map(({ id }) => id)).toEqual(expected)
      }
    }
    expect(await readStatuses(store)).toMatchObject({
      SIGNED: all.filter(({ status }) => status === 'SIGNED').length,
      ACCEPTED: all.filter(({ status }) => status === 'ACCEPTED').length,
      FAILED: 0,
    })
  }

  const readStatuses = async (store: InvoiceStore) =>
    (await store.readOrganizationOverview('org-1', '2026')).statuses

  async function expectFound(store: InvoiceStore, all: readonly Invoice[]): Promise<void> {
    const found = async (search: string) => {
      const { invoices, total } = await store.list('org-1', listRequest({ search }))
      expect(total).toBe(invoices.length)
      return invoices.map(({ id }) => id).sort()
    }
    for (const invoice of [all[0], all[40], all.at(-1)] as Invoice[]) {
      expect(await found(invoice.invoiceNumber.toUpperCase())).toEqual([invoice.id])
    }
    const inZagora = all.filter(({ buyerName }) => buyerName?.includes('Zagora'))
    expect(await found('zagora')).toEqual(inZagora.map(({ id }) => id).sort())
  }

  const make = (count: number) =>
    Array.from({ length: count }, (_, index) => {
      const status = index % 5 === 0 ? 'SIGNED' : 'ACCEPTED'
      return anInvoice({ status, amountTtc: (index * 7919) % 10_007 })
    })

  it('contain what the previous release writes at the same time', async () => {
    const store = await open()
    const all = make(3_000)
    await asBefore.insert(all)
    await expectExact(store, all)
    await untilCounted()
    await expectExact(store, all)
    await expectFound(store, all)
    for (let index = 0; index < 50; index += 1) {
      const buyerName = index % 10 === 0 ? 'Textiles de Zagora' : undefined
      all[index] = later(all[index]!, { status: 'SIGNED', amountTtc: index, buyerName })
      await asBefore.change(all[index]!)
    }
    all.push(anInvoice({ status: 'SIGNED', buyerName: 'Zagora' }))
    await asBefore.insert(all.slice(-1))
    await expectExact(store, all)
    await expectFound(store, all)
    const ours = later(all[60]!, { status: 'SIGNED' })
    await store.change(all[60]!, write(ours))
    all[60] = ours
    await untilCounted()
    await expectExact(store, all)
    await expectFound(store, all)
  })

  it('are what an overview reads, however many invoices there are', async () => {
    const store = await open()
    await store.create(write(anInvoice()))
    await untilCounted()
    await getListCounts(direct.db!).updateOne(
      { _id: 'org-1' },
      { $set: { counts: { SIGNED: 7_000, ACCEPTED: 9_000 } } },
    )
    await store.create(write(anInvoice({ status: 'FAILED' })))
    expect(await readStatuses(store)).toMatchObject({ SIGNED: 7_000, ACCEPTED: 9_000, FAILED: 1 })
  })

  it('are correct after a kill while an older store is counted', async () => {
    await open()
    await opened.pop()!.close()
    const all = make(6_000)
    await asBefore.insert(all)
    for (const left of [4_500, 2_500]) {
      await openAndKill(['mongodb', url], async () => (await countUncounted()) <= left)
      // The server does it by itself, after a minute or more.
      await direct.db!.admin().command({ killAllSessions: [] })
      const counts = await getListCounts(direct.db!).findOne({ _id: 'org-1' })
      const counted = Object.values(counts?.counts ?? {}).reduce((sum, count) => sum + count, 0)
      // What the killed process began is ended by the server: all of it or nothing.
      expect(counted).toBeGreaterThan(0)
    }
    const store = await open()
    await expectExact(store, all)
    await untilCounted()
    await expectExact(store, all)
    const counts = await getListCounts(direct.db!).findOne({ _id: 'org-1' })
    expect(counts?.counts).toEqual({ SIGNED: 1_200, ACCEPTED: 4_800 })
  }, 180_000)

  it('are exact while several processes write, count and list', async () => {
    const stores = await Promise.all([open(), open()])
    const all = make(3_000)
    await asBefore.insert(all)
    let begun = all.length
    let done = all.length
    let writing = true
    const writer = async (store: InvoiceStore) => {
      while (writing) {
        begun += 1
        await store.create(write(anInvoice({ status: 'SIGNED' })))
        done += 1
        await pause(5)
      }
    }
    const writers = Promise.all(stores.map(writer))
    for (let round = 0; round < 60; round += 1) {
      const atLeast = done
      const page = { page: 60 + (round % 20), size: 20 }
      const listed = await stores[round % 2]!.list('org-1', listRequest({ page }))
      expect(listed.total).toBeGreaterThanOrEqual(atLeast)
      expect(listed.total).toBeLessThanOrEqual(begun)
      const moments = listed.invoices.map(({ createdAt }) => createdAt)
      expect(moments).toEqual(moments.toSorted().toReversed())
      expect(new Set(listed.invoices.map(({ id }) => id)).size).toBe(20)
    }
    writing = false
    await writers
    await untilCounted()
    for (const store of stores) {
      expect((await store.list('org-1', listRequest())).total).toBe(done)
    }
  }, 120_000)
})

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))
