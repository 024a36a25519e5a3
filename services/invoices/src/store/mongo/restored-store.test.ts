/** Marks that nothing was sent, taken together; a store written while a clock was ahead. */

import { createLog } from '@einvoicing/runtime/log'
import { describeWith } from '@einvoicing/servers/describe-with'
import { eventually } from '@einvoicing/servers/eventually'
import { patientTimes } from '@einvoicing/stores/testdata/patient-times'
import { openMongoStore } from './mongo-store'
import type { InvoiceStore } from '../store'
import { startDatabase, type TestDatabase } from '../testdata/database'
import { anInvoice, dueWork, signedWrite, write } from '../testdata/invoices'

describeWith('mongod', 'a restored store in MongoDB', () => {
  let database: TestDatabase
  beforeAll(async () => {
    database = await startDatabase()
  })
  afterAll(() => database.dispose())
  const opened: InvoiceStore[] = []
  const open = async (minutesBehind = 0) => {
    const store = await openMongoStore(
      { kind: 'mongodb', url: database.url },
      {
        now: () => new Date(Date.now() - minutesBehind * 60_000),
        log: createLog('silent'),
        times: patientTimes,
      },
    )
    opened.push(store)
    return store
  }
  const invoices = () => database.direct.collection<{ _id: string }>('invoices')
  afterEach(async () => {
    await Promise.all(opened.splice(0).map((store) => store.close()))
    await invoices().deleteMany()
  })

  it('takes the marks of many invoices by pages, so that no write grows with the store', async () => {
    const count = 250
    const store = await open()
    await invoices().insertMany(
      Array.from({ length: count }, (_, index) => ({
        _id: `id-${index}`,
        organizationId: 'org-1',
        invoice: { invoiceNumber: `F-${index}` },
        ...(index % 7 > 0 && { neverSent: true }),
      })),
    )
    await database.direct.db!.setProfilingLevel('all')
    await store.takeEveryNeverSent()
    await database.direct.db!.setProfilingLevel('off')
    expect(await invoices().countDocuments({ neverSent: { $exists: true } })).toBe(0)
    expect(await invoices().countDocuments()).toBe(count)
    const profile = database.direct.db!.collection('system.profile')
    const updates = await profile.find({ op: 'update', ns: /\.invoices$/ }).toArray()
    expect(updates.map(({ docsExamined }) => docsExamined)).toEqual([100, 100, 50])
    await profile.drop()
  })

  it('of two processes, at most one takes a mark that nothing was sent, and none stays', async () => {
    const [store, other] = [await open(), await open()]
    const created = Array.from({ length: 60 }, () => anInvoice())
    await Promise.all(created.map((invoice) => store.create(signedWrite(invoice))))
    const take = (by: InvoiceStore, ids: readonly string[]) =>
      Promise.all(ids.map(async (id) => [id, await by.takeNeverSent('org-1', id)] as const))
    const ids = created.map(({ id }) => id)
    const taken = await Promise.all([take(store, ids), take(other, ids.toReversed())])
    const ours = taken.flat().flatMap(([id, isTaken]) => (isTaken ? [id] : []))
    expect(new Set(ours).size).toBe(ours.length)
    expect(await invoices().countDocuments({ neverSent: true })).toBe(0)
  })

  it('takes over at once what a process left whose clock was more than a minute ahead', async () => {
    // Opened first: otherwise the work would count as left from before its start.
    const [minutesBehind, secondsBehind] = [await open(2), await open(0.5)]
    const writer = await open()
    await writer.create(signedWrite(anInvoice()))
    const counts = async (store: InvoiceStore) => [
      (await store.listOutbox(undefined, 10)).length,
      (await dueWork(store)).length,
    ]
    expect(await counts(secondsBehind)).toEqual([0, 0])
    expect(await counts(minutesBehind)).toEqual([1, 1])
  })

  it('copies the audit entries of such a process', async () => {
    const behind = await open(2)
    const writer = await open()
    await writer.create(write(anInvoice()))
    await writer.close()
    opened.splice(opened.indexOf(writer), 1)
    await eventually(async () =>
      expect(await invoices().countDocuments({ unaudited: { $exists: true } })).toBe(0),
    )
    expect((await behind.listAudit('org-1', { page: 0, size: 9 })).total).toBe(1)
  })
})
