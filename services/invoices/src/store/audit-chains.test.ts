import { createHash, randomUUID } from 'node:crypto'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import type { AuditEntry } from '@einvoicing/proto/invoice'
import { createLog } from '@einvoicing/runtime/log'
import { describeWith } from '@einvoicing/servers/describe-with'
import { eventually } from '@einvoicing/servers/eventually'
import { patientTimes } from '@einvoicing/stores/testdata/patient-times'
import fc from 'fast-check'
import Database from 'libsql'
import { v7 as uuidV7 } from 'uuid'
import { openMongoStore } from './mongo/mongo-store'
import type { AuditDocument } from './mongo/schema'
import { openSqliteStore } from './sqlite/sqlite-store'
import type { InvoiceStore } from './store'
import { intact, organizationId, verify } from './testdata/chains'
import { startDatabase, type TestDatabase } from './testdata/database'
import { anInvoice, audit, later, signedWrite, write } from './testdata/invoices'

interface Opened {
  store: InvoiceStore
  /** Of the entry with that `seq`. */
  change: (seq: number, fields: Partial<AuditEntry>, of?: string) => Promise<void>
  remove: (seq: number, of?: string) => Promise<void>
  /** As a version without chains wrote them. */
  addEarlier: (entries: AuditEntry[]) => Promise<void>
  changeEarlier: (invoiceId: string, fields: Partial<AuditEntry>) => Promise<void>
  /** Afterwards the entries are as they were. */
  during: (work: () => Promise<void>) => Promise<void>
  /** Of a property. */
  runs: number
  dispose: () => Promise<void>
}

const sha256 = (bytes: Uint8Array | undefined) =>
  createHash('sha256')
    .update(bytes ?? '')
    .digest('hex')

function contract(open: () => Promise<Opened>): void {
  let opened: Opened
  let store: InvoiceStore
  beforeEach(async () => {
    opened = await open()
    store = opened.store
  })
  afterEach(() => opened.dispose())

  const addInvoices = async (count: number) => {
    for (let i = 0; i < count; i += 1) {
      const signed = signedWrite(anInvoice())
      const invoice = { ...signed.invoice, xmlSha256: sha256(signed.xml) }
      const entry = { ...audit(invoice), documentSha256: invoice.xmlSha256 }
      await store.create({ ...signed, invoice, audit: entry })
    }
  }

  it('is numbered without a gap, each entry after the one before', async () => {
    await addInvoices(3)
    const invoice = anInvoice()
    await store.create(write(invoice))
    await store.change(invoice, write(later(invoice, { buyerName: 'x' })))
    expect(await verify(store)).toEqual(intact(5))
    const { entries } = await store.listAudit(organizationId, { page: 0, size: 9 })
    expect(entries.map(({ seq }) => seq).sort()).toEqual([1, 2, 3, 4, 5])
    expect(new Set(entries.map(({ hash }) => hash)).size).toBe(5)
  })

  it.each<[string, (opened: Opened) => Promise<void>, number, RegExp]>([
    ['a changed actor', (on) => on.change(2, { actor: 'user:other' }), 2, /was changed/],
    ['a removed entry', (on) => on.remove(2), 2, /entry 2 is missing/],
    ['a cut end', (on) => on.remove(4), 4, /ends with entry 3, but 4 were written/],
    ['a doubled number', (on) => on.change(3, { seq: 2 }), 3, /entry 2 is there twice/],
    [
      'two that changed places',
      async (on) => {
        await on.change(2, { seq: 9 })
        await on.change(3, { seq: 2 })
        await on.change(9, { seq: 3 })
      },
      2,
      /does not follow|twice|missing/,
    ],
  ])('shows %s, and where', async (_name, tamper, seq, problem) => {
    await addInvoices(4)
    await verify(store)
    await tamper(opened)
    expect(await verify(store)).toMatchObject([
      { organizationId, seq, problem: expect.stringMatching(problem) },
    ])
  })

  it.each([
    ['the store names another one', 'cd', 'ab', /another signed XML in the store/],
    ['the store holds another one', 'ab', 'ab', /in the store has the SHA-256 [0-9a-f]{64}/],
  ])('shows a document where %s', async (_what, named, entered, problem) => {
    const invoice = anInvoice({ xmlSha256: named.repeat(32) })
    const entry = { ...audit(invoice), documentSha256: entered.repeat(32) }
    await store.create({ ...signedWrite(invoice), audit: entry })
    expect(await verify(store)).toMatchObject([
      { kind: 'document', seq: 1, problem: expect.stringMatching(problem) },
      { kind: 'chain', entries: 1 },
    ])
  })

  it('verifies whatever was written, and shows any one change', async () => {
    const text = fc.string({ unit: 'binary', maxLength: 40 })
    const entry = fc.record(
      {
        at: fc.constantFrom('2026-11-22T11:00:00.000Z', '2020-01-01T00:00:00.000Z'),
        actor: text,
        action: fc.constantFrom('invoice.updated', 'invoice.cancelled'),
        from: fc.constantFrom('PENDING', 'SIGNED'),
        to: fc.constantFrom('SIGNED', 'FAILED'),
        detail: text,
      },
      { requiredKeys: ['at', 'actor', 'action'] },
    )
    const field = fc.constantFrom('at', 'actor', 'action', 'detail', 'from', 'to', 'previous')
    await fc.assert(
      fc.asyncProperty(
        fc.array(entry, { minLength: 1, maxLength: 8 }),
        fc.nat(),
        fc.oneof(field, fc.constant('removed')),
        async (entries, which, what) => {
          // A chain of its own: what earlier runs wrote would be verified again.
          const of = randomUUID()
          for (const one of entries) {
            const invoice = anInvoice({ organizationId: of })
            await store.create({ ...write(invoice), audit: { ...one, invoiceId: invoice.id } })
          }
          expect(await verify(store, of)).toEqual(intact(entries.length, of))
          const seq = entries.length - (which % entries.length)
          await opened.during(async () => {
            if (what === 'removed') await opened.remove(seq, of)
            else await opened.change(seq, { [what]: 'changed' }, of)
            const [found] = await verify(store, of)
            expect(found).toMatchObject({ organizationId: of, problem: expect.any(String) })
            expect([seq, seq + 1]).toContain(found?.seq)
          })
        },
      ),
      { numRuns: opened.runs },
    )
  })

  it('shows an entry that was put between others', async () => {
    await addInvoices(2)
    await verify(store)
    await opened.addEarlier([audit(anInvoice())])
    const [found] = await verify(store)
    expect(found?.problem).toMatch(/added before the chain|without a number/)
  })

  it('earlier entries come first, and can no longer be changed either', async () => {
    const earlier = [anInvoice(), anInvoice(), anInvoice()].map((invoice) => audit(invoice))
    await opened.addEarlier(earlier)
    await addInvoices(2)
    expect(await verify(store)).toEqual(intact(3))
    const { entries } = await store.listAudit(organizationId, { page: 0, size: 9 })
    const began = entries.find(({ action }) => action === 'audit.chain-began')
    expect(began?.detail).toMatch(/^3 entries before, SHA-256 [0-9a-f]{64}$/)
    await opened.changeEarlier(earlier[1]!.invoiceId!, { actor: 'user:other' })
    expect(await verify(store)).toMatchObject([
      { seq: 1, problem: 'the entries from before the chain were changed' },
    ])
  })
}

describe('sqlite', () => {
  contract(async () => {
    const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'audit-'))
    const file = path.join(folder, 'invoices.db')
    const store = await openSqliteStore(file, (error) => {
      throw error
    })
    const direct = new Database(file)
    const merge = (where: string, value: unknown, fields: object, of = organizationId) => {
      direct
        .prepare(
          `UPDATE audit SET entry = json_patch(entry, ?) WHERE entry ->> '${where}' = ? AND organization_id = ?`,
        )
        .run([JSON.stringify(fields), value, of])
    }
    return {
      store,
      change: async (seq, fields, of) => merge('$.seq', seq, fields, of),
      remove: async (seq, of = organizationId) => {
        direct
          .prepare(`DELETE FROM audit WHERE entry ->> '$.seq' = ? AND organization_id = ?`)
          .run([seq, of])
      },
      addEarlier: async (entries) => {
        const insert = direct.prepare('INSERT INTO audit (organization_id, entry) VALUES (?, ?)')
        for (const entry of entries) insert.run([organizationId, JSON.stringify(entry)])
      },
      changeEarlier: async (id, fields) => merge('$.invoiceId', id, fields),
      during: async (work) => {
        direct.exec('CREATE TEMP TABLE kept AS SELECT * FROM audit')
        await work()
        direct.exec('DELETE FROM audit; INSERT INTO audit SELECT * FROM kept; DROP TABLE kept')
      },
      runs: 60,
      dispose: async () => {
        direct.close()
        await store.close()
        fs.rmSync(folder, { recursive: true })
      },
    }
  })
})

describeWith('mongod', 'mongo', () => {
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
  const entries = () => database.direct.collection<AuditDocument>('invoice_audit')
  const clear = async () => {
    for (const name of ['invoices', 'invoice_audit', 'invoice_audit_head']) {
      await database.direct.collection(name).deleteMany()
    }
  }

  contract(async () => {
    const store = await openStore()
    return {
      store,
      change: async (seq, fields, of = organizationId) => {
        await entries().updateOne({ seq, organizationId: of }, { $set: fields })
      },
      remove: async (seq, of = organizationId) => {
        await entries().deleteOne({ seq, organizationId: of })
      },
      addEarlier: async (earlier) => {
        const msecs = Date.now() - 7_200_000
        await entries().insertMany(
          earlier.map((entry) => ({ _id: uuidV7({ msecs }), organizationId, ...entry })),
        )
      },
      changeEarlier: async (invoiceId, fields) => {
        await entries().updateOne({ invoiceId }, { $set: fields })
      },
      during: async (work) => {
        const kept = await entries().find().toArray()
        await work()
        await entries().deleteMany()
        await entries().insertMany(kept)
      },
      runs: 15,
      dispose: async () => {
        await store.close()
        await clear()
      },
    }
  })

  it('has no gap where two processes copy at once, one of the version before among them', async () => {
    const stores = [await openStore(), await openStore()]
    const [first, second] = stores as [InvoiceStore, InvoiceStore]
    await Promise.all(
      Array.from({ length: 60 }, async (_, i) => {
        await (i % 2 ? first : second).create(signedWrite(anInvoice()))
        // As the version before copies: without a place in the chain.
        const entry = { ...audit(anInvoice()), _id: uuidV7(), organizationId }
        if (i % 10 === 0) await entries().insertOne(entry)
        // On a busy machine a transaction may lose to others until it is given up, as a 503.
        const list = () => (i % 3 ? first : second).listAudit(organizationId, { page: 0, size: 1 })
        if (i % 7 === 0) await eventually(list)
      }),
    )
    expect(await verify(first)).toEqual(intact(66))
    for (const store of stores) await store.close()
    await clear()
  })

  it('publishes events while a killed process holds the end of a chain, and goes on', async () => {
    const store = await openStore()
    for (let i = 0; i < 3; i += 1) await store.create(signedWrite(anInvoice()))
    await store.listAudit(organizationId, { page: 0, size: 1 })
    const session = await database.direct.startSession()
    session.startTransaction()
    const heads = database.direct.collection<{ _id: string }>('invoice_audit_head')
    await heads.updateOne({ _id: organizationId }, { $set: { held: true } }, { session })
    await store.create(signedWrite(anInvoice()))
    const positions = (await store.listOutbox(undefined, 10)).map(({ position }) => position)
    expect(positions).toHaveLength(4)
    await store.forgetOutbox(positions)
    expect(await store.listOutbox(undefined, 10)).toEqual([])
    await expect(store.listAudit(organizationId, { page: 0, size: 1 })).rejects.toMatchObject({
      code: 'SERVICE_UNAVAILABLE',
    })
    await session.abortTransaction()
    const found = await eventually(async () => {
      const chains = await verify(store)
      expect(chains).not.toEqual([])
      return chains
    })
    expect(found).toEqual(intact(4))
    await session.endSession()
    await store.close()
    await clear()
  })
})
