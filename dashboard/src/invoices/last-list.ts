/** With its filters, for links back from an invoice. */

const storageKey = 'invoices'

export function rememberList(search: string): void {
  try {
    sessionStorage.setItem(storageKey, search)
  } catch {
    // Storage is switched off: the link leads to the list without filters.
  }
}

export function lastListAddress(): string {
  try {
    const search = sessionStorage.getItem(storageKey) ?? ''
    return search === '' ? '/invoices' : `/invoices?${search}`
  } catch {
    return '/invoices'
  }
}
