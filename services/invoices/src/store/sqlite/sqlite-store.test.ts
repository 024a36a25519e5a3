import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { setTimeout } from 'node:timers/promises'
import Database from 'libsql'
import { openSqlite } from '@einvoicing/stores/sqlite'
import { openSqliteStore } from './sqlite-store'
import { selectRenewals } from './evidence'
import { ListFolding } from './list-folding'
import { openQueryThread } from './read-worker-client'
import { migrations } from './schema'
import { SqliteThread } from './write-worker-client'
import { invoiceStoreContract } from '../store.contract'
import type { InvoiceStore } from '../store'
import { intact, verify } from '../testdata/chains'
import { anInvoice, later, listRequest, write } from '../testdata/invoices'

let failures: Error[]
beforeEach(() => (failures = []))
const fail = (error: Error) => void failures.push(error)
const temporaryFolder = () => fs.mkdtempSync(path.join(os.tmpdir(), 'invoices-'))

describe('sqlite', () => {
  invoiceStoreContract(async () => {
    const folder = temporaryFolder()
    const file = path.join(folder, 'invoices.db')
    let store = await openSqliteStore(file, fail)
    return {
      store,
      async reopen() {
        await store.close()
        store = await openSqliteStore(file, fail)
        return store
      },
      async remove() {
        await store.close()
        fs.rmSync(folder, { recursive: true })
      },
    }
  })

  it('answers each of many writes of one turn with its own outcome, in order', async () => {
    const folder = temporaryFolder()
    const store = await openSqliteStore(path.join(folder, 'invoices.db'), fail)
    // More than wait together, in more than one batch.
    const invoices = Array.from({ length: 1_001 }, (_, index) =>
      anInvoice({ invoiceNumber: `F-${index % 3 === 0 ? 'taken' : index}` }),
    )
    const outcomes = await Promise.all(invoices.map((invoice) => store.create(write(invoice))))
    expect(outcomes).toEqual(
      invoices.map((_, index) => (index % 3 === 0 && index > 0 ? 'number-taken' : 'created')),
    )
    await store.close()
    fs.rmSync(folder, { recursive: true })
  })

  it('reports in one sentence that the file is not a database', async () => {
    const folder = temporaryFolder()
    const file = path.join(folder, 'invoices.db')
    fs.writeFileSync(file, 'this is not a database, and long enough to be read as one'.repeat(100))
    await expect(openSqliteStore(file, fail)).rejects.toThrow(/is not a database/)
    fs.rmSync(folder, { recursive: true })
  })
})

describe('sqlite of an older version', () => {
  it.each([0, 7, 20])('has its lists filled, also after a kill at row %d', async (foldedTo) => {
    const folder = temporaryFolder()
    const file = path.join(folder, 'invoices.db')
    const before = await openSqliteStore(file, fail)
    const amounts = Array.from({ length: 20 }, (_, index) => (index * 7) % 20)
    for (const amountTtc of amounts) await before.create(write(anInvoice({ amountTtc })))
    await before.list('org-1', listRequest({ sortBy: 'amountTtc' }))
    await before.close()
    const direct = new Database(file)
    direct.exec(
      `DELETE FROM list_row WHERE row > ${foldedTo}; DELETE FROM list_count;
       UPDATE list_state SET folded_to = ${foldedTo}, ready = 0; DROP INDEX list_by_amount_ttc`,
    )
    direct.close()

    const store = await openSqliteStore(file, fail)
    const { invoices, total } = await store.list('org-1', listRequest({ sortBy: 'amountTtc' }))
    expect(total).toBe(20)
    expect(invoices.map(({ amountTtc }) => amountTtc)).toEqual(amounts.toSorted((a, b) => b - a))
    expect((await store.list('org-1', listRequest({ status: 'SIGNED' }))).total).toBe(20)
    expect((await store.readOrganizationOverview('org-1', '2026')).statuses.SIGNED).toBe(20)
    await store.close()
    fs.rmSync(folder, { recursive: true })
  })
})

describe('sqlite of a version without references in its lists', () => {
  it.each([20, 7])('finds them, also after a kill before row %d', async (left) => {
    const folder = temporaryFolder()
    const file = path.join(folder, 'invoices.db')
    const before = await openSqliteStore(file, fail)
    for (let index = 0; index < 20; index += 1) {
      await before.create(write(anInvoice({ dgiReference: `DGI-${index}-` })))
    }
    await before.list('org-1', listRequest({ search: 'DGI-' }))
    await before.close()
    const direct = new Database(file)
    direct.exec(
      `UPDATE list_row SET reference = '' WHERE row <= ${left};
       UPDATE list_state SET unreferenced_to = ${left}`,
    )
    direct.close()

    const store = await openSqliteStore(file, fail)
    for (const index of [0, 6, 7, 19]) {
      const { invoices } = await store.list('org-1', listRequest({ search: `dgi-${index}-` }))
      expect(invoices.map(({ dgiReference }) => dgiReference)).toEqual([`DGI-${index}-`])
    }
    await store.close()
    fs.rmSync(folder, { recursive: true })
  })
})

describe('sqlite of a version whose renewals were searched among all that wait', () => {
  it('finds the one that is not queued, and reads no other', async () => {
    const folder = temporaryFolder()
    const file = path.join(folder, 'invoices.db')
    const version = migrations.findIndex((migration) => migration.includes('evidence_to_renew'))
    const before = openSqlite(file, migrations.slice(0, version))
    const at = '2026-01-01T00:00:00.000Z'
    for (const id of ['queued', 'requested', 'free']) {
      before.exec(
        `INSERT INTO evidence
         VALUES ('${id}', 'org-1', 'XAdES-B-LTA', '${at}', x'', 1, '${at}')`,
      )
    }
    before.exec(
      `INSERT INTO long_term_work (organization_id, invoice_id, part)
       VALUES ('org-1', 'queued', 'evidence');
       INSERT INTO invoice SELECT 'requested', 'org-1', '1', 'ACCEPTED', NULL, NULL, '', NULL,
         0, 0, 0, NULL, '', '', '{}', '[]'`,
    )
    before.close()

    const store = await openSqliteStore(file, fail)
    const found = async () =>
      (await store.listRenewals(at, 9)).map(({ invoiceId }) => invoiceId).sort()
    expect(await found()).toEqual(['free', 'requested'])
    expect((await store.backlogs()).evidence.count).toBe(0)
    await store.requestEvidence('evidence', [{ organizationId: 'org-1', invoiceId: 'requested' }])
    expect(await found()).toEqual(['free'])
    const direct = new Database(file)
    const plan = direct.prepare(`EXPLAIN QUERY PLAN ${selectRenewals}`).all([at, 9])
    expect(plan[0]).toMatchObject({
      detail: 'SEARCH evidence USING INDEX evidence_to_renew (renew_by<?)',
    })
    const indexed = direct.prepare(
      `SELECT invoice_id FROM evidence INDEXED BY evidence_to_renew
       WHERE renew_by > '' AND queued = 0`,
    )
    expect(indexed.pluck().all([])).toEqual(['free'])
    direct.close()
    await store.close()
    fs.rmSync(folder, { recursive: true })
  })
})

describe('sqlite beside an admin command', () => {
  let folder: string
  let file: string
  let opened: InvoiceStore[]
  const open = async () => {
    const store = await openSqliteStore(file, fail)
    opened.push(store)
    return store
  }
  beforeEach(() => {
    ;[folder, opened] = [temporaryFolder(), []]
    file = path.join(folder, 'invoices.db')
  })
  afterEach(async () => {
    for (const store of opened) await store.close()
    fs.rmSync(folder, { recursive: true })
  })
  const listed = async (store: InvoiceStore, organizationId: string) => {
    const { invoices, total } = await store.list(
      organizationId,
      listRequest({ sortBy: 'amountTtc' }),
    )
    expect(invoices).toHaveLength(total)
    return invoices.map(({ id, amountTtc }) => `${id} ${amountTtc}`).sort()
  }

  it('lists and creates while both fold', async () => {
    const stores = [await open(), await open()]
    const created: string[][] = [[], []]
    for (let round = 1; round <= 3; round += 1) {
      for (const [index, store] of stores.entries()) {
        const organizationId = `org-${index}`
        const first = anInvoice({ organizationId, amountTtc: round })
        const changed = later(first, { amountTtc: 10 * round })
        for (const invoice of [first, anInvoice({ organizationId, amountTtc: round })]) {
          expect(await store.create(write(invoice))).toBe('created')
          created[index]!.push(`${invoice.id} ${invoice === first ? 10 * round : round}`)
        }
        // Folded by the other store before the change, and by this one after it.
        await listed(stores[1 - index]!, organizationId)
        expect(await store.change(first, write(changed))).toBe('changed')
        for (const each of stores) {
          expect(await listed(each, organizationId)).toEqual(created[index]!.sort())
        }
      }
    }
  })

  it('continues the chain of audit entries that the other one wrote', async () => {
    const stores = [await open(), await open()]
    for (let round = 0; round < 3; round += 1) {
      for (const store of stores) await store.create(write(anInvoice()))
    }
    expect(await verify(stores[0]!)).toEqual(intact(6))
  })

  it('folds nothing by itself where it writes no invoice', async () => {
    const service = await openSqliteStore(file, fail)
    await service.create(write(anInvoice()))
    await service.close()
    const direct = new Database(file)
    direct.exec(
      `DELETE FROM list_row; UPDATE list_count SET folded = 0; UPDATE list_state SET folded_to = 0`,
    )
    const beside = await open()
    await beside.takeEveryNeverSent()
    await setTimeout(1_500)
    expect(direct.prepare('SELECT folded_to FROM list_state').get([])).toMatchObject({
      folded_to: 0,
    })
    direct.close()
    expect(await listed(beside, 'org-1')).toHaveLength(1)
  })
})

describe('sqlite in trouble', () => {
  let folder: string
  let file: string
  beforeEach(() => {
    folder = temporaryFolder()
    file = path.join(folder, 'invoices.db')
  })
  afterEach(() => fs.rmSync(folder, { recursive: true }))

  it('says that it is unavailable when the file is damaged under it', async () => {
    const store = await openSqliteStore(file, fail)
    // Written by another hand, so that no page is answered from this one's memory.
    new Database(file).exec("INSERT INTO outbox (fact) VALUES ('{}')")
    fs.truncateSync(`${file}-wal`)
    fs.writeFileSync(file, Buffer.alloc(fs.statSync(file).size, 0xff))

    const unavailable = { code: 'SERVICE_UNAVAILABLE', retryAfterSeconds: 5 }
    const page = { page: 0, size: 20 }
    await expect(store.check()).rejects.toMatchObject(unavailable)
    await expect(store.get('o', 'i')).rejects.toMatchObject(unavailable)
    await expect(store.listAudit('o', page)).rejects.toMatchObject(unavailable)
    await expect(store.listOutbox(undefined, 1)).rejects.toMatchObject(unavailable)
    await expect(store.listUndecided('9', undefined, 1)).rejects.toMatchObject(unavailable)
    await expect(store.oldestUndecided()).rejects.toMatchObject(unavailable)
    const span = { after: '', until: '9' }
    await expect(store.listFailed(span, undefined, 1)).rejects.toMatchObject(unavailable)
    await expect(store.failedQueriedUntil()).rejects.toMatchObject(unavailable)
    await expect(store.listAuditHeads(undefined, 1)).rejects.toMatchObject(unavailable)
    await expect(store.listHeadless()).rejects.toMatchObject(unavailable)
    await expect(store.readAuditChain('o', undefined, 1)).rejects.toMatchObject(unavailable)
    await expect(store.readCheckpointState()).rejects.toMatchObject(unavailable)
    await store.close()
  })

  it('is not healthy once one of its threads has ended', async () => {
    const writer = await SqliteThread.open(file, fail)
    const queries = openQueryThread(file, { writer, folding: new ListFolding(writer), fail })
    expect(() => writer.check()).not.toThrow()
    expect(() => queries.check()).not.toThrow()

    await Promise.all([writer.close(), queries.close()])
    expect(() => writer.check()).toThrow('The invoice store is not available')
    expect(() => queries.check()).toThrow('The invoice list is not available')
    // Asked to end, so that no one needs a restart.
    expect(failures).toEqual([])
  })
})
