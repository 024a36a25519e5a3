import type { InvoicePage, ListedInvoice } from './schemas'

/** Each invoice once. What leaves a list moves others to pages already read: it is read again. */
export async function* walkPages(
  readPage: (page: number) => Promise<InvoicePage>,
  first = 0,
): AsyncGenerator<ListedInvoice, void, void> {
  const seen = new Set<string>()
  for (let foundBefore = Infinity; ;) {
    const seenBefore = seen.size
    let [largestTotal, isShrinking] = [0, false]
    for (let page = first, isLast = false; !isLast; page += 1) {
      const { content, totalElements, last } = await readPage(page)
      isShrinking ||= totalElements < largestTotal
      largestTotal = Math.max(largestTotal, totalElements)
      isLast = last
      for (const invoice of content) {
        if (seen.has(invoice.id)) continue
        seen.add(invoice.id)
        yield invoice
      }
    }
    const found = seen.size - seenBefore
    // As many as before are new invoices, of which there is no end.
    if (!isShrinking || found === 0 || found >= foundBefore) return
    foundBefore = found
  }
}
