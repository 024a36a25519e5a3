import type { Fail } from '@einvoicing/runtime/serve'
import type { InvoicesConfig } from '../config'
import type { Deps } from '../deps'
import { boundWrites } from './bound-writes'
import type { InvoiceStore } from './store'

export async function openStore(
  { store }: InvoicesConfig,
  options: Pick<Deps, 'now' | 'log'> & { fail: Fail },
): Promise<InvoiceStore> {
  if (store.kind === 'sqlite') {
    const { openSqliteStore } = await import('@einvoicing/invoices/store/sqlite/sqlite-store')
    return boundWrites(await openSqliteStore(store.file, options.fail, options.log))
  }
  const { openMongoStore } = await import('@einvoicing/invoices/store/mongo/mongo-store')
  return boundWrites(await openMongoStore(store, options))
}
