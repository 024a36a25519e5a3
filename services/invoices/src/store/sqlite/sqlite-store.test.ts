import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import Database from 'libsql'
import { openSqliteStore } from './sqlite-store'
import { ListFolding } from './list-folding'
import { openListThread } from './read-worker-client'
import { SqliteThread } from './write-worker-client'
import { invoiceStoreContract } from '../store.contract'
import { anInvoice, listRequest, write } from '../testdata/invoices'

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
    expect((await store.readFigures('org-1', '2026')).statuses.SIGNED).toBe(20)
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
    await store.close()
  })

  it('is not healthy once one of its threads has ended', async () => {
    const writer = await SqliteThread.open(file, fail)
    const lister = openListThread(file, { writer, folding: new ListFolding(writer), fail })
    expect(() => writer.check()).not.toThrow()
    expect(() => lister.check()).not.toThrow()

    await Promise.all([writer.close(), lister.close()])
    expect(() => writer.check()).toThrow('The invoice store is not available')
    expect(() => lister.check()).toThrow('The invoice list is not available')
    // Asked to end, so that no one needs a restart.
    expect(failures).toEqual([])
  })
})
