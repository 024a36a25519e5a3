/** The list of invoices with its filters, for links back from an invoice. */

import type { Session } from '../api/session'

type Owner = Pick<Session, 'organizationId' | 'userId'>

const prefix = 'invoices'

const toKey = ({ organizationId, userId }: Owner) => `${prefix} ${organizationId} ${userId}`

export function rememberList(owner: Owner, search: string): void {
  inStorage((storage) => storage.setItem(toKey(owner), search))
}

export function lastListAddress(owner: Owner): string {
  const search = inStorage((storage) => storage.getItem(toKey(owner)))
  return search ? `/invoices?${search}` : '/invoices'
}

export function forgetLists(): void {
  inStorage((storage) => {
    const keys = Object.keys(storage).filter((key) => key.startsWith(prefix))
    for (const key of keys) storage.removeItem(key)
  })
}

function inStorage<Result>(act: (storage: Storage) => Result): Result | undefined {
  try {
    return act(sessionStorage)
  } catch {
    // Storage is switched off: the link leads to the list without filters.
    return undefined
  }
}
