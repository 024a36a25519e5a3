/** In a file of its own: no other store of this process is open, which would copy too. */

import { randomUUID } from 'node:crypto'
import { createLog } from '@einvoicing/runtime/log'
import { describeWith } from '@einvoicing/servers/describe-with'
import { startMongod, type Mongod } from '@einvoicing/servers/mongod'
import { verifyAudit, type AuditFinding } from '@einvoicing/verification/audit/verify-audit'
import mongoose, { type Connection } from 'mongoose'
import { v7 as uuidV7 } from 'uuid'
import { documentCheck } from '../../commands/find-document-problem'
import { anInvoice, audit } from '../testdata/invoices'
import { openAndKill } from '../testdata/opening-process'
import { openMongoStore } from './mongo-store'

const organizationId = 'org-1'
const count = 2_000

describeWith('mongod', 'entries of the audit log in MongoDB', () => {
  let server: Mongod
  let url: string
  let direct: Connection
  beforeAll(async () => {
    server = await startMongod()
    url = server.url.replace(/\/(\?|$)/, `/audit_${randomUUID()}$1`)
    direct = await mongoose.createConnection(url).asPromise()
  })
  afterAll(async () => {
    await direct.dropDatabase()
    await direct.close()
    await server.dispose()
  })
  const log = createLog('silent')
  const openStore = () => openMongoStore({ kind: 'mongodb', url }, { now: () => new Date(), log })
  const readSeq = async () =>
    Number((await direct.collection('invoice_audit_head').findOne({}))?.['seq'] ?? 0)
  /** Where it stands still, the process says nothing. */
  const explain = async (error: unknown) => {
    const waiting = { 'unaudited.position': { $gt: '' } }
    const state = {
      waiting: await direct.collection('invoices').countDocuments(waiting),
      copied: await direct.collection('invoice_audit').countDocuments(),
      unlinked: await direct.collection('invoice_audit').countDocuments({ seq: null }),
      heads: await direct.collection('invoice_audit_head').find().toArray(),
    }
    throw new Error(`${String(error)}\n${JSON.stringify(state)}`, { cause: error })
  }
  /** The server does it by itself, after a minute or more. */
  const endTransactionsOfKilled = () => direct.db!.admin().command({ killAllSessions: [] })

  it('are linked without a gap after kills while they are copied', async () => {
    await (await openStore()).close()
    const left = Array.from({ length: count }, () => {
      const [invoice, position] = [anInvoice(), uuidV7()]
      const { id, invoiceNumber } = invoice
      const copied = { _id: position, organizationId, ...audit(invoice) }
      const unaudited = { position, writer: 'gone', entries: [copied] }
      return { _id: id, organizationId, invoice: { invoiceNumber }, unaudited }
    })
    await direct.collection('invoices').insertMany(left as never[])
    for (const seq of [1, 1_000]) {
      await openAndKill(['mongodb', url], async () => (await readSeq()) >= seq).catch(explain)
      await endTransactionsOfKilled()
    }
    expect(await readSeq()).toBeLessThan(count)
    const store = await openStore()
    try {
      const found: AuditFinding[] = []
      const trust = { trusted: undefined, now: new Date() }
      const findDocument = documentCheck(store, undefined)
      const chains = verifyAudit({
        log: 'invoices',
        chains: store,
        findDocument,
        trust,
        organizationId,
      })
      for await (const chain of chains) found.push(chain)
      const intact = { log: 'invoices', kind: 'chain', organizationId, entries: count }
      expect(found).toEqual([intact])
    } finally {
      await store.close()
    }
  }, 150_000)
})
