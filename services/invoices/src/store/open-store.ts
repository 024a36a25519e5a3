/** The store that the settings chose; what they did not choose is never loaded. */

import type { Fail } from '@einvoicing/kernel/serve'
import type { InvoicesConfig } from '../config'
import type { Deps } from '../deps'
import type { InvoiceStore } from './store'

export async function openStore(
  { store }: InvoicesConfig,
  given: Pick<Deps, 'now' | 'log'> & { fail: Fail },
): Promise<InvoiceStore> {
  if (store.kind === 'sqlite') {
    const { openSqliteStore } = await import('@einvoicing/invoices/store/sqlite')
    return openSqliteStore(store.file, given.fail)
  }
  const { openMongoStore } = await import('@einvoicing/invoices/store/mongo')
  return openMongoStore(store, given)
}
