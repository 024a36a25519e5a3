import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { openSqliteStore } from '../sqlite/sqlite-store'
import type { InvoiceStore } from '../store'

function throwFailure(error: Error): never {
  throw error
}

/** Calls `take` before each test with a new store, in a folder that is removed after the test. */
export function useSqliteStore(take: (store: InvoiceStore, folder: string) => void): void {
  let folder: string
  let store: InvoiceStore
  beforeEach(async () => {
    folder = fs.mkdtempSync(path.join(os.tmpdir(), 'invoices-'))
    store = await openSqliteStore(path.join(folder, 'invoices.db'), throwFailure)
    take(store, folder)
  })
  afterEach(async () => {
    await store.close()
    fs.rmSync(folder, { recursive: true })
  })
}
