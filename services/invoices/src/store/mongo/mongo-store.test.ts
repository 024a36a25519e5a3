import { randomBytes, randomUUID } from 'node:crypto'
import { openInProcessBus } from '@einvoicing/events/in-process/in-process-bus'
import type { InvoiceEvent } from '@einvoicing/events/event'
import { createLog } from '@einvoicing/runtime/log'
import { describeWith } from '@einvoicing/servers/describe-with'
import { eventually } from '@einvoicing/servers/eventually'
import type { Invoice } from '@einvoicing/proto/invoice'
import type { ListInvoicesRequest } from '@einvoicing/proto/invoices'
import { patientTimes } from '@einvoicing/stores/testdata/patient-times'
import mongoose from 'mongoose'
import { signedEvent } from '../../signed-event'
import { startSweeper } from '../../sweep'
import { openMongoStore } from './mongo-store'
import { orderIndexes } from './schema'
import { invoiceStoreContract } from '../store.contract'
import type { InvoiceStore, Write } from '../store'
import { startDatabase, type TestDatabase } from '../testdata/database'
import { anInvoice, dueWork, signedWrite } from '../testdata/invoices'

const log = createLog('silent')
const stored = [
  'invoices',
  'invoice_audit',
  'invoice_audit_head',
  'invoice_counted',
  'invoice_list_counts',
  'invoice_list_changes',
]

describeWith('mongod', 'mongo', () => {
  let database: TestDatabase
  beforeAll(async () => {
    database = await startDatabase()
  })
  afterAll(() => database.dispose())
  const opened: InvoiceStore[] = []
  const open = async (now = () => new Date()) => {
    const store = await openMongoStore(
      { kind: 'mongodb', url: database.url },
      { now, log, times: patientTimes },
    )
    opened.push(store)
    return store
  }
  afterEach(async () => {
    await Promise.all(opened.splice(0).map((store) => store.close()))
    for (const name of stored) await database.direct.collection(name).deleteMany()
  })
  const invoices = () => database.direct.collection('invoices')

  describe('fulfils the contract', () => {
    invoiceStoreContract(async () => {
      let store = await open()
      return {
        store,
        async reopen() {
          await store.close()
          store = await open()
          return store
        },
        remove: () => store.close(),
      }
    })
  })

  describe('by itself', () => {
    let store: InvoiceStore
    beforeEach(async () => (store = await open()))

    it('searches renewals among those that are not queued', async () => {
      const renewBy = '2027-01-01T00:00:00.000Z'
      const evidence = {
        level: 'XAdES-B-LTA',
        artefact: 1,
        timeStampedAt: renewBy,
        renewBy,
      } as const
      for (let index = 0; index < 9; index += 1) {
        await store.create({ ...signedWrite(anInvoice()), work: 'evidence' })
        const [work] = await dueWork(store, { queue: 'evidence' })
        await store.keepEvidence(work!, evidence)
      }
      const [first, second, ...others] = await store.listRenewals(renewBy, 9)
      await store.requestEvidence('evidence', others)
      await database.direct.db!.setProfilingLevel('all')
      expect(await store.listRenewals(renewBy, 9)).toEqual([first, second])
      await database.direct.db!.setProfilingLevel('off')
      const profile = database.direct.db!.collection('system.profile')
      const [search] = await profile.find({ 'command.hint': /renew/ }).toArray()
      expect(search).toMatchObject({ docsExamined: 2 })
      expect(search!['keysExamined']).toBeLessThanOrEqual(4)
      expect(search!['hasSortStage']).toBeUndefined()
      await profile.drop()
    })

    it('has an index for every order and every filter: nothing is scanned or sorted', async () => {
      for (let count = 0; count < 300; count += 1) await store.create(aWrite(manifold(count)))
      // The usual megabyte would forget the first operations.
      await database.direct.db!.createCollection('system.profile', {
        capped: true,
        size: 64 * 1024 * 1024,
      })
      await database.direct.db!.setProfilingLevel('all')
      const filters: Partial<ListInvoicesRequest>[] = [
        {},
        { status: 'ACCEPTED' },
        { invoiceNumber: 'F-7' },
        { buyerIce: '001525713000003' },
        { invoiceDateFrom: '2026-03-03', invoiceDateTo: '2026-03-05' },
        { status: 'SIGNED', buyerIce: '001525713000001', invoiceDateFrom: '2026-03-03' },
        { search: 'buyer 3' },
        { search: '0015', status: 'ACCEPTED' },
      ]
      const sorts = Object.keys(orderIndexes)
      for (const sortBy of sorts) {
        for (const filter of filters) {
          for (const descending of [true, false]) {
            const page = { page: 0, size: 20 }
            const listed = await store.list('org-1', { sortBy, descending, page, ...filter })
            expect(listed.total).toBeGreaterThan(0)
          }
        }
      }
      await store.listAudit('org-1', { page: 0, size: 20 })
      await store.listAuditOfInvoice('org-1', randomUUID(), 500)
      await store.readOrganizationOverview('org-1', '2026-01-01T00')
      await store.listChanges('org-1', { since: '2026-01-01T00', behind: '', count: 100 })
      await store.oldestUndecided()
      await store.countByStatus()
      await store.backlogs()
      await store.listUndecided('2030', undefined, 10)
      const events = await store.listOutbox(undefined, 10)
      await store.forgetOutbox(events.map(({ position }) => position))
      for (const work of await dueWork(store, { count: 3, now: '2030', horizon: '2031' })) {
        await store.finishWork(work)
      }
      await database.direct.db!.setProfilingLevel('off')

      const ours = { ns: /\.(invoices|invoice_audit)$/, appName: { $exists: false } }
      const profiled = await database.direct.db!.collection('system.profile').find(ours).toArray()
      const slow = profiled.filter(
        ({ op, planSummary, hasSortStage }) =>
          op !== 'insert' &&
          (!/^(IXSCAN|COUNT_SCAN|IDHACK|RECORD_STORE_FAST_COUNT)/.test(planSummary) ||
            hasSortStage),
      )
      expect(slow.map(({ op, command, planSummary }) => ({ op, command, planSummary }))).toEqual([])
      const hintsOfOverview = ['not_accepted', 'outgoing', 'unarchived_xml', 'unarchived_final']
      const isGrouped = (stage: { $group?: { _id: unknown } }) =>
        stage.$group !== undefined && stage.$group._id !== 1
      const reads = profiled.filter(
        ({ command }) =>
          hintsOfOverview.includes(command.hint) || command.pipeline?.some(isGrouped),
      )
      expect(reads).toHaveLength(7 + 3)
      expect(reads.filter(({ docsExamined }) => docsExamined > 0)).toEqual([])
      const finds = profiled.filter(({ op }) => op === 'query')
      expect(finds.length).toBeGreaterThanOrEqual(sorts.length * filters.length * 2)
    })

    it('looks for due work without reading what waits for later', async () => {
      for (let count = 0; count < 50; count += 1) await store.create(signedWrite(anInvoice()))
      const works = await dueWork(store, { count: 50 })
      expect(works).toHaveLength(50)
      const next = { attempts: 1, nextAttemptAt: '2030' }
      await Promise.all(works.map((work) => store.postponeWork(work, next)))
      await database.direct.db!.setProfilingLevel('all')
      expect(await dueWork(store, { count: 50, now: '2029' })).toEqual([])
      await database.direct.db!.setProfilingLevel('off')
      const searches = await database.direct
        .db!.collection('system.profile')
        .find({ op: 'query', 'command.hint': /_turns$/, 'command.limit': 50 })
        .toArray()
      expect(searches).toHaveLength(4)
      expect(searches.filter(({ keysExamined }) => keysExamined > 2)).toEqual([])
    })

    it('keeps the largest invoice: 2,000 lines, and XML of incompressible text and escapes', async () => {
      const lines = Array.from({ length: 2_000 }, (_, index) => ({
        lineNumber: index + 1,
        description: randomBytes(256).toString('hex'),
        quantity: '1',
        unitPrice: '1',
        vatRate: 0,
        vatExemptionReason: '&'.repeat(256),
        amountHt: 100,
      }))
      const markup = '<cbc:Some><cac:Markup of="line"/></cbc:Some>'.repeat(30)
      const xml = Buffer.from(
        lines.map((line) => markup + line.description + '&amp;'.repeat(512)).join(''),
      )
      expect(xml.length).toBeGreaterThan(8 * 1024 * 1024)
      const invoice = anInvoice({ lines })
      expect(await store.create({ ...aWrite(invoice), xml })).toBe('created')
      expect(await store.get('org-1', invoice.id)).toEqual(invoice)
      expect(Buffer.compare(xml, (await store.readXml('org-1', invoice.id))!)).toBe(0)
    })

    it('commits a creation as one document', async () => {
      const invoice = anInvoice()
      await store.create(aWrite(invoice))
      expect(await invoices().findOne()).toMatchObject({
        _id: invoice.id,
        invoice: { invoiceNumber: invoice.invoiceNumber },
        outgoing: { facts: [{ subject: invoice.id }] },
        unarchived: { 'signed-xml': {} },
      })
    })

    it('distinguishes a repeated insert of the same invoice from another invoice with its number', async () => {
      const invoice = anInvoice({ invoiceNumber: 'F-1' })
      const rival = anInvoice({ invoiceNumber: 'F-1' })
      expect(await store.create(aWrite(invoice))).toBe('created')
      const again = [invoice, rival, anInvoice()].map((one) => store.create(aWrite(one)))
      expect(await Promise.all(again)).toEqual(['created', 'number-taken', 'created'])
      expect(await invoices().countDocuments()).toBe(2)
    })

    it('rejects what a document cannot hold, and none of its neighbours', async () => {
      const impossible = anInvoice({ buyerName: 'x'.repeat(17 * 1024 * 1024) })
      const outcomes = await Promise.allSettled(
        [anInvoice(), impossible, anInvoice()].map((one) => store.create(aWrite(one))),
      )
      expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
      expect(await invoices().countDocuments()).toBe(2)
    })

    it('copies audit entries in the background, each once, and lists uncopied ones', async () => {
      const other = await open()
      const made = Array.from({ length: 600 }, () => anInvoice())
      await Promise.all(made.map((one) => store.create(aWrite(one))))
      const page = { page: 0, size: 1 }
      const totals = [store, other, store, other].map(
        async (one) => (await one.listAudit('org-1', page)).total,
      )
      expect(await Promise.all(totals)).toEqual([600, 600, 600, 600])

      await store.create(aWrite(anInvoice()))
      await eventually(async () =>
        expect(await invoices().countDocuments({ unaudited: { $exists: true } })).toBe(0),
      )
      expect(await database.direct.collection('invoice_audit').countDocuments()).toBe(601)
    })

    it('copies the entry beside an event when it is published, at its place in the chain', async () => {
      const entries = database.direct.collection('invoice_audit')
      const publishOne = async () => {
        const [event] = await store.listOutbox(undefined, 1)
        return () => store.forgetOutbox([event!.position])
      }
      // The first entry of an organization begins its chain.
      await store.create(aWrite(anInvoice()))
      await (
        await publishOne()
      )()
      await eventually(async () => expect(await entries.countDocuments({ seq: 1 })).toBe(1))
      const invoice = anInvoice()
      await store.create(aWrite(invoice))
      await (
        await publishOne()
      )()
      expect(await entries.find().sort({ seq: 1 }).toArray()).toMatchObject([
        { seq: 1 },
        { seq: 2, invoiceId: invoice.id, action: 'invoice.created' },
      ])
      expect(await invoices().countDocuments({ unaudited: { $exists: true } })).toBe(0)

      // A change between leaves its own entry, which is copied by itself.
      const changed = anInvoice()
      await store.create(aWrite(changed))
      const forget = await publishOne()
      const { event: _event, ...write } = aWrite({ ...changed, updatedAt: '2040-01-01T00:00:00Z' })
      expect(await store.change(changed, write)).toBe('changed')
      await forget()
      expect(await store.listOutbox(undefined, 1)).toEqual([])
      const { total } = await store.listAudit('org-1', { page: 0, size: 1 })
      expect([total, await entries.countDocuments({ seq: { $exists: true } })]).toEqual([4, 4])
    })

    it('leaves work to the process that wrote it, and takes over what that leaves', async () => {
      const other = await open()
      const later = await open(() => new Date(Date.now() + 60_000))
      const invoice = anInvoice()
      await store.create(aWrite(invoice))
      const counts = async (one: InvoiceStore) => [
        (await one.listOutbox(undefined, 10)).length,
        (await dueWork(one)).length,
      ]
      expect(await counts(store)).toEqual([1, 1])
      expect(await counts(other)).toEqual([0, 0])
      expect(await counts(later)).toEqual([1, 1])
      const afterwards = await open()
      expect(await counts(afterwards)).toEqual([1, 1])

      const [event] = await store.listOutbox(undefined, 1)
      expect(await later.listOutbox(undefined, 1)).toEqual([event])
      await Promise.all([store, later].map((one) => one.forgetOutbox([event!.position])))
      const [work] = await dueWork(later)
      await Promise.all([later.finishWork(work!), store.finishWork(work!)])
      expect(await counts(later)).toEqual([0, 0])
    })
  })

  it('work goes to one of two processes until its lease ends', async () => {
    const store = await open()
    const later = () => new Date(Date.now() + 60_000)
    const [one, other] = await Promise.all([open(later), open(later)])
    for (let made = 0; made < 20; made += 1) await store.create(aWrite(anInvoice()))
    const [now, leaseUntil] = ['2040-01-01T00:00:00Z', '2040-01-01T00:00:20Z']
    const take = (from: InvoiceStore, count: number) => dueWork(from, { now, leaseUntil, count })
    const taken = (await Promise.all([take(one, 15), take(other, 15)])).flat()
    const ids = new Set(taken.map(({ invoiceId }) => invoiceId))
    expect(ids.size).toBe(taken.length)
    for (const rest of [await take(one, 20), await take(other, 20)]) {
      for (const { invoiceId } of rest) ids.add(invoiceId)
      taken.push(...rest)
    }
    expect([ids.size, taken.length]).toEqual([20, 20])
    expect(await dueWork(other, { now: leaseUntil, count: 30 })).toHaveLength(20)
  })

  it.each(['time-stamps', 'evidence'] as const)(
    '%s go to one process until their lease ends, also when it has just written the work',
    async (queue) => {
      const store = await open()
      const invoice = anInvoice()
      const { id: invoiceId, organizationId } = invoice
      await store.create(aWrite(invoice))
      for (const done of ['archive', 'time-stamps'] as const) {
        if (done === queue) break
        const [work] = await dueWork(store, { queue: done })
        await store.finishWork(work!)
      }
      if (queue === 'evidence') await store.requestEvidence(queue, [{ organizationId, invoiceId }])
      const leaseUntil = new Date(Date.now() + 20_000).toISOString()
      expect(await dueWork(store, { queue, leaseUntil })).toHaveLength(1)
      // One has just started, of another the clock is ahead.
      const others = [await open(), await open(() => new Date(Date.now() + 15_000))]
      for (const other of others) expect(await dueWork(other, { queue })).toEqual([])
      expect(await dueWork(others[0]!, { queue, now: leaseUntil })).toHaveLength(1)
    },
  )

  it('two processes sweep at once and publish the same events', async () => {
    const stores = await Promise.all([open(), open()])
    const made = Array.from({ length: 5 }, () => anInvoice())
    for (const invoice of made) await stores[0].create(aWrite(invoice))
    const published: string[][] = [[], []]
    const sweepers = stores.map((store, index) => {
      const publish = async ({ id }: InvoiceEvent) => void published[index]!.push(id)
      const bus = { ...openInProcessBus(log), publish }
      return startSweeper({ store, bus, now: () => new Date(Date.now() + 60_000), log })
    })
    await eventually(async () => expect(published.map((ids) => ids.length)).toEqual([5, 5]))
    await Promise.all(sweepers.map((sweeper) => sweeper.close()))
    const ids = made.map((invoice) => signedEvent(invoice).id).toSorted()
    expect(published.map((own) => own.toSorted())).toEqual([ids, ids])
  })

  it('makes its indexes once when many processes start together on nothing', async () => {
    const empty = database.url.replace('invoices_', 'start_')
    const stores = await Promise.all(
      Array.from({ length: 4 }, () =>
        openMongoStore(
          { kind: 'mongodb', url: empty },
          { now: () => new Date(), log, times: patientTimes },
        ),
      ),
    )
    const rivals = stores.map((store) => store.create(aWrite(anInvoice({ invoiceNumber: 'F-1' }))))
    const outcomes = await Promise.all(rivals)
    expect(outcomes.toSorted()).toEqual(['created', ...Array(3).fill('number-taken')])
    await Promise.all(stores.map((store) => store.close()))
    const made = await mongoose.createConnection(empty).asPromise()
    expect(await made.collection('migrations').countDocuments()).toBe(16)
    await made.dropDatabase()
    await made.close()
  })
})

const aWrite = (invoice: Invoice): Write => ({
  invoice,
  xml: Buffer.from(`<Invoice>${invoice.id}</Invoice>`),
  audit: { at: invoice.updatedAt, actor: 'a', action: 'invoice.created', invoiceId: invoice.id },
  event: signedEvent(invoice),
  work: 'signed-xml',
})

const manifold = (count: number): Invoice =>
  anInvoice({
    invoiceNumber: `F-${count}`,
    status: (['SIGNED', 'ACCEPTED', 'REJECTED'] as const)[count % 3]!,
    buyerIce: `00152571300000${count % 5}`,
    buyerName: `Buyer ${count % 7}`,
    invoiceDate: `2026-03-0${1 + (count % 8)}`,
    ...(count % 2 && { dueDate: `2026-04-0${1 + (count % 9)}` }),
    amountHt: count % 40,
  })
