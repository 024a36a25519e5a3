/** What a killed process began in MongoDB holds its documents for a minute. */

import { randomUUID } from 'node:crypto'
import { createLog } from '@einvoicing/runtime/log'
import { describeWith } from '@einvoicing/servers/describe-with'
import { eventually } from '@einvoicing/servers/eventually'
import { patientTimes } from '@einvoicing/stores/testdata/patient-times'
import { intact, verify } from '../testdata/chains'
import { startDatabase, type TestDatabase } from '../testdata/database'
import { anInvoice, write } from '../testdata/invoices'
import { openMongoStore } from './mongo-store'
import { unauditedIndex } from './work-indexes'
import type { InvoiceStore } from '../store'

interface Read {
  docsExamined: number
}

describeWith('mongod', 'while a killed process holds chains of the audit log', () => {
  let database: TestDatabase
  let store: InvoiceStore
  beforeEach(async () => {
    database = await startDatabase()
    const log = createLog('silent')
    store = await openMongoStore(
      { kind: 'mongodb', url: database.url },
      { now: () => new Date(), log, times: patientTimes },
    )
  })
  afterEach(async () => {
    await store.close()
    await database.dispose()
  })

  const entries = () => database.direct.collection('invoice_audit')
  const create = (organizationId: string) => store.create(write(anInvoice({ organizationId })))
  const countLinked = (organizationIds: readonly string[]) =>
    entries().countDocuments({ organizationId: { $in: organizationIds }, seq: { $gte: 1 } })
  const expectLinked = (organizationIds: readonly string[], count: number, withinMs: number) =>
    eventually(async () => expect(await countLinked(organizationIds)).toBe(count), withinMs)

  const listReads = () =>
    database.direct
      .collection<Read>('system.profile')
      .find({ $or: [{ 'command.hint': unauditedIndex }, { 'command.find': 'invoice_audit' }] })
      .toArray()

  const hold = async (organizationIds: string[]) => {
    const session = await database.direct.startSession()
    session.startTransaction()
    const heads = database.direct.collection<{ _id: string }>('invoice_audit_head')
    const held = { _id: { $in: organizationIds } }
    await heads.updateMany(held, { $set: { held: true } }, { session })
    return async () => {
      await session.abortTransaction()
      await session.endSession()
    }
  }

  it('copies the entries of other organizations at once', async () => {
    const organizations = Array.from({ length: 40 }, () => randomUUID()).sort()
    const [held, others] = [organizations.slice(0, 20), organizations.slice(20)]
    await Promise.all(organizations.map(create))
    await expectLinked(organizations, 40, 20_000)
    const release = await hold(held)
    try {
      for (const id of organizations) await create(id)
      await expectLinked(others, 40, 20_000)
      await Promise.all(others.map(create))
      await expectLinked(others, 60, 20_000)
      expect(await countLinked(held)).toBe(20)
    } finally {
      await release()
    }
    await expectLinked(organizations, 100, 10_000)
    for (const id of [held[0]!, others[0]!]) {
      expect(await verify(store, id)).toEqual(intact(id === held[0] ? 2 : 3, id))
    }
  }, 120_000)

  it('lists the audit log of another organization at once', async () => {
    const held = Array.from({ length: 5 }, () => randomUUID())
    const other = randomUUID()
    const list = (id: string) => store.listAudit(id, { page: 0, size: 10 })
    await Promise.all([...held, other].map(create))
    await expectLinked([...held, other], 6, 20_000)
    const release = await hold(held)
    try {
      await Promise.all([...held, other].map(create))
      let rejected = 0
      const waiting = held.map((id) => list(id).catch(() => (rejected += 1)))
      expect((await list(other)).total).toBe(2)
      expect(rejected).toBe(0)
      await Promise.all(waiting)
      expect(rejected).toBe(5)
    } finally {
      await release()
    }
    expect((await list(held[0]!)).total).toBe(2)
  }, 120_000)

  it('reads the entries that wait for a held chain once', async () => {
    const [held, other] = ['held', 'other']
    await Promise.all([create(held), create(other)])
    await expectLinked([held, other], 2, 20_000)
    const release = await hold([held])
    try {
      await Promise.all(Array.from({ length: 700 }, () => create(held)))
      await create(other)
      await expectLinked([other], 2, 20_000)
      await database.direct.db!.command({ profile: 2 })
      await create(other)
      await expectLinked([other], 3, 20_000)
      // Several rounds of the loop.
      await eventually(async () => expect((await listReads()).length).toBeGreaterThan(3), 30_000)
      await database.direct.db!.command({ profile: 0 })
      const reads = await listReads()
      const read = reads.reduce((sum, { docsExamined }) => sum + docsExamined, 0)
      expect(read).toBeLessThan(10)
    } finally {
      await release()
    }
    await expectLinked([held], 701, 15_000)
    expect(await verify(store, held)).toEqual(intact(701, held))
  }, 120_000)
})
