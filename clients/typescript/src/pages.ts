import type { InvoicePage, ListedInvoice } from './schemas'

/** Each invoice once: when the list shrinks, pages that moved are read again. */
export async function* walkPages(
  readPage: (page: number) => Promise<InvoicePage>,
  first = 0,
): AsyncGenerator<ListedInvoice, void, void> {
  const seen = new Set<string>()
  let total = 0
  for (let page = first; ; page += 1) {
    const { content, size, totalElements, last } = await readPage(page)
    for (const invoice of content) {
      if (seen.has(invoice.id)) continue
      seen.add(invoice.id)
      yield invoice
    }
    const pagesLost = Math.ceil(Math.max(0, total - totalElements) / size)
    total = totalElements
    if (pagesLost > 0 && page > first) page = Math.max(first, page - pagesLost) - 1
    else if (last) return
  }
}
