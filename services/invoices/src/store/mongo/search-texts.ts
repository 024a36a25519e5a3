import { createMatcher } from '../search'
import { SearchIndex } from '../search-index'
import type { CountedChange } from './counted-row'
import type { Bound } from '../text-order'
import { readBounds } from './list-orders'
import type { ListSnapshot } from './list-snapshot'

const candidatesMax = 50_000
const numbersAtOnce = 20_000

export interface FoundTexts {
  numbers: string[]
  names: string[]
}

export class SearchTexts {
  private readonly numbers = new Texts()
  private readonly names = new Texts()
  private readonly known = new Set<string>()

  static async read(snapshot: ListSnapshot, organizationId: string): Promise<SearchTexts> {
    const texts = new SearchTexts()
    const place = { organizationId, by: 'invoiceNumber' } as const
    for (let from: Bound | undefined; ;) {
      const found = await readBounds(snapshot, place, {
        range: { from },
        skip: 0,
        limit: numbersAtOnce,
      })
      // The first number repeats the last one of the page before.
      for (const { key } of from ? found.slice(1) : found) texts.numbers.add(String(key))
      if (found.length < numbersAtOnce) break
      from = found.at(-1)
    }
    for (const name of await readNames(snapshot, organizationId)) texts.addName(name)
    return texts
  }

  get length(): number {
    return this.numbers.length + this.names.length
  }

  change({ before, after }: CountedChange): void {
    if (after.invoiceNumber !== before?.invoiceNumber) this.numbers.add(after.invoiceNumber)
    this.addName(after.buyerName)
  }

  /** May include invoices that no longer match; `undefined` for too many. */
  find(text: string, uncounted: readonly CountedChange[]): FoundTexts | undefined {
    const matches = createMatcher(text)
    const numbers = this.numbers.find(text)
    const names = this.names.find(text)
    if (!numbers || !names) return undefined
    for (const { after } of uncounted) {
      numbers.push(after.invoiceNumber)
      names.push(after.buyerName ?? '')
    }
    return {
      numbers: [...new Set(numbers)].filter(matches),
      names: [...new Set(names)].filter(matches),
    }
  }

  private addName(name: string | null | undefined): void {
    if (typeof name !== 'string' || this.known.has(name)) return
    this.known.add(name)
    this.names.add(name)
  }
}

class Texts {
  private readonly index = new SearchIndex()
  private readonly texts: string[] = []

  get length(): number {
    return this.texts.length
  }

  add(text: string): void {
    this.index.add(this.texts.length, text)
    this.texts.push(text)
  }

  find(text: string): string[] | undefined {
    return this.index.find(text, candidatesMax)?.map((row) => this.texts[row] as string)
  }
}

/** Each once: the server skips from name to name in the index. */
async function readNames(snapshot: ListSnapshot, organizationId: string): Promise<string[]> {
  const found = await snapshot.read((invoices, options) =>
    invoices
      .aggregate<{ _id: string | null }>(
        [
          { $match: { organizationId } },
          { $sort: { organizationId: 1, 'invoice.buyerName': 1 } },
          { $group: { _id: '$invoice.buyerName' } },
        ],
        { ...options, hint: 'by_buyer_name' },
      )
      .toArray(),
  )
  return found.flatMap(({ _id }) => (_id === null ? [] : [_id]))
}
