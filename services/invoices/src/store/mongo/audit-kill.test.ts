/** In a file of its own: no other store of this process is open, which would copy too. */

import { createLog } from '@einvoicing/runtime/log'
import { describeWith } from '@einvoicing/servers/describe-with'
import { patientTimes } from '@einvoicing/stores/testdata/patient-times'
import { v7 as uuidV7 } from 'uuid'
import { intact, organizationId, verify } from '../testdata/chains'
import { startDatabase, type TestDatabase } from '../testdata/database'
import { anInvoice, audit } from '../testdata/invoices'
import { openAndKill } from '../testdata/opening-process'
import { openMongoStore } from './mongo-store'

const count = 5_000

describeWith('mongod', 'entries of the audit log in MongoDB', () => {
  let database: TestDatabase
  beforeAll(async () => {
    database = await startDatabase()
  })
  afterAll(() => database.dispose())
  const log = createLog('silent')
  const openStore = () =>
    openMongoStore(
      { kind: 'mongodb', url: database.url },
      { now: () => new Date(), log, times: patientTimes },
    )
  const readSeq = async () =>
    Number((await database.direct.collection('invoice_audit_head').findOne({}))?.['seq'] ?? 0)
  /** Where it stands still, the process says nothing. */
  const explain = async (error: unknown) => {
    const waiting = { 'unaudited.position': { $gt: '' } }
    const state = {
      waiting: await database.direct.collection('invoices').countDocuments(waiting),
      copied: await database.direct.collection('invoice_audit').countDocuments(),
      unlinked: await database.direct.collection('invoice_audit').countDocuments({ seq: null }),
      heads: await database.direct.collection('invoice_audit_head').find().toArray(),
    }
    throw new Error(`${String(error)}\n${JSON.stringify(state)}`, { cause: error })
  }
  /** The server does it by itself, after a minute or more. */
  const endTransactionsOfKilled = () => database.direct.db!.admin().command({ killAllSessions: [] })

  it('are linked without a gap after kills while they are copied', async () => {
    await (await openStore()).close()
    const left = Array.from({ length: count }, () => {
      const [invoice, position] = [anInvoice(), uuidV7()]
      const { id, invoiceNumber } = invoice
      const copied = { _id: position, organizationId, ...audit(invoice) }
      const unaudited = { position, writer: 'gone', entries: [copied] }
      return { _id: id, organizationId, invoice: { invoiceNumber }, unaudited }
    })
    await database.direct.collection('invoices').insertMany(left as never[])
    for (const seq of [1, 1_000]) {
      await openAndKill(['mongodb', database.url], async () => (await readSeq()) >= seq).catch(
        explain,
      )
      await endTransactionsOfKilled()
    }
    expect(await readSeq()).toBeLessThan(count)
    const store = await openStore()
    try {
      expect(await verify(store)).toEqual(intact(count))
    } finally {
      await store.close()
    }
  }, 150_000)
})
