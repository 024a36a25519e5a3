import type { InvoicePage, ListedInvoice } from './schemas'

/** Each invoice once: when the list shrinks, pages that moved are read again. */
export async function* walkPages(
  readPage: (page: number) => Promise<InvoicePage>,
  first = 0,
): AsyncGenerator<ListedInvoice, void, void> {
  const seen = new Set<string>()
  let [furthest, total] = [-1, 0]
  for (let page = first; ; page += 1) {
    const { content, size, totalElements, last } = await readPage(page)
    for (const invoice of content) {
      if (seen.has(invoice.id)) continue
      seen.add(invoice.id)
      yield invoice
    }
    // Only from a new page: a list may shrink at every read.
    if (page > furthest) {
      const pagesLost = Math.ceil(Math.max(0, total - totalElements) / size)
      furthest = page
      total = totalElements
      if (pagesLost > 0) {
        page = Math.max(first, page - pagesLost) - 1
        continue
      }
    }
    if (last) return
  }
}
