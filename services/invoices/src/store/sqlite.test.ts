import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { openSqliteStore } from './sqlite'
import { invoiceStoreContract } from './store.contract'

const temporaryFolder = () => fs.mkdtempSync(path.join(os.tmpdir(), 'invoices-'))

describe('sqlite', () => {
  invoiceStoreContract(async () => {
    const folder = temporaryFolder()
    const file = path.join(folder, 'invoices.db')
    let store = await openSqliteStore(file)
    return {
      store,
      async reopen() {
        await store.close()
        store = await openSqliteStore(file)
        return store
      },
      async remove() {
        await store.close()
        fs.rmSync(folder, { recursive: true })
      },
    }
  })

  it('tells in one sentence that the file is no database', async () => {
    const folder = temporaryFolder()
    const file = path.join(folder, 'invoices.db')
    fs.writeFileSync(file, 'this is not a database, and long enough to be read as one'.repeat(100))
    await expect(openSqliteStore(file)).rejects.toThrow(/is no database/)
    fs.rmSync(folder, { recursive: true })
  })
})
