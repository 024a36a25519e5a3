/**
 * Lists against a full scan: whatever was created, edited and decided, every filter, order and page
 * shows what sorting all invoices would; a part of the store's contract.
 */

import { randomFrom } from '@einvoicing/servers/random'
import { minorUnitDigits } from '@einvoicing/domain/currency'
import { invoiceTypes } from '@einvoicing/domain/invoice-types'
import type { Invoice } from '@einvoicing/proto/invoice'
import type { ListInvoicesRequest } from '@einvoicing/proto/invoices'
import { statuses } from './counts'
import type { InvoiceStore } from './store'
import { anInvoice, later, listRequest, write } from './testdata/invoices'

// More than a store walks rather than marks, and than fit between two marks.
const invoiceCount = 2_500
const rounds = 8
const changesEachRound = 40
const listsEachRound = 40

type Key = string | number

const keys: Record<string, (invoice: Invoice) => Key> = {
  createdAt: ({ createdAt }) => createdAt,
  updatedAt: ({ updatedAt }) => updatedAt,
  invoiceDate: ({ invoiceDate }) => invoiceDate,
  dueDate: ({ dueDate }) => dueDate ?? '',
  invoiceNumber: ({ invoiceNumber }) => invoiceNumber,
  status: ({ status }) => status,
  buyerName: ({ buyerName }) => buyerName ?? '',
  amountHt: ({ amountHt, currency }) => amountHt / 10 ** minorUnitDigits(currency),
  amountVat: ({ amountVat, currency }) => amountVat / 10 ** minorUnitDigits(currency),
  amountTtc: ({ amountTtc, currency }) => amountTtc / 10 ** minorUnitDigits(currency),
}

export function listingContract(
  storeNow: () => InvoiceStore,
  reopen: () => Promise<InvoiceStore>,
): void {
  it('lists what a scan of all invoices would, whatever changes between', async () => {
    const seed = Date.now() % 1_000_000
    const random = randomFrom(seed)
    let store = storeNow()
    const model = new Map<string, Invoice>()
    const create = async (organizationId = 'org-1') => {
      const invoice = { ...anInvoice({ organizationId }), ...randomFields(random) }
      expect(await store.create(write(invoice))).toBe('created')
      if (organizationId === 'org-1') model.set(invoice.id, invoice)
    }
    await Promise.all(Array.from({ length: invoiceCount }, () => create()))
    await Promise.all(Array.from({ length: 100 }, () => create('org-2')))

    for (let round = 0; round < rounds; round += 1) {
      const changing = pickSome(random, [...model.values()], changesEachRound)
      await Promise.all([
        ...changing.map(async (seen) => {
          const changed = later(seen, drawChange(random, seen))
          expect(await store.change(seen, write(changed))).toBe('changed')
          model.set(changed.id, changed)
        }),
        ...Array.from({ length: round === 3 ? 600 : 5 }, () => create()),
      ])
      if (round === 5) store = await reopen()
      const invoices = [...model.values()]
      for (let lists = 0; lists < listsEachRound; lists += 1) {
        const request = randomRequest(random, invoices)
        const expected = scan(invoices, request)
        const page = await store.list('org-1', request)
        const got = { total: page.total, ids: page.invoices.map(({ id }) => id) }
        if (JSON.stringify(got) !== JSON.stringify(expected)) {
          throw new Error(
            `seed ${seed}, round ${round}: ${JSON.stringify({ request, expected, got })}`,
          )
        }
      }
    }
  }, 180_000)
}

type Random = () => number

const upTo = (random: Random, count: number) => Math.floor(random() * count)
const pick = <T>(random: Random, among: readonly T[]): T => among[upTo(random, among.length)] as T

function pickSome<T>(random: Random, among: readonly T[], count: number): T[] {
  return [...new Set(Array.from({ length: count }, () => pick(random, among)))]
}

const day = (random: Random) =>
  new Date(Date.UTC(2026, 0, 1 + upTo(random, 90))).toISOString().slice(0, 10)

const names = ['Atlas', 'Étoile', 'شركة', '\u{1F600}', '\uFF21', 'Zellige', 'a', 'A']

function randomFields(random: Random): Partial<Invoice> {
  const isRare = random() < 0.01
  return {
    status: isRare ? pick(random, statuses) : pick(random, ['SIGNED', 'ACCEPTED', 'PENDING']),
    invoiceDate: day(random),
    currency: pick(random, ['MAD', 'MAD', 'MAD', 'JPY', 'TND']),
    amountHt: upTo(random, 400),
    amountVat: upTo(random, 100_000_000),
    amountTtc: upTo(random, random() < 0.1 ? 5_000 : 100_000_000),
    ...(random() < 0.5 && { dgiReference: `SIM-2026-${upTo(random, 100)}` }),
    ...(random() < 0.5 && { dueDate: day(random) }),
    ...(random() < 0.7 && { buyerName: pick(random, names) }),
    ...(random() < 0.3 && { buyerIce: `00152571300000${upTo(random, 5)}` }),
    ...randomReferences(random),
  }
}

function randomReferences(random: Random): Partial<Invoice> {
  if (random() > 0.1) return {}
  const numbers = [upTo(random, 20), 20 + upTo(random, 20)].map((number) => `P-${number}`)
  const items = numbers.slice(upTo(random, 2)).map((invoiceNumber) => ({ invoiceNumber }))
  const type = pick(random, ['CREDIT_NOTE', 'CREDIT_NOTE', 'PREPAYMENT_INVOICE', undefined])
  return { type, precedingInvoices: { items } }
}

/** An edit of a draft, or a step of any other. */
function drawChange(random: Random, { status }: Invoice): Partial<Invoice> {
  if (status !== 'PENDING' || random() < 0.3) return { status: pick(random, statuses) }
  const { status: _status, ...fields } = randomFields(random)
  return {
    dgiReference: undefined,
    dueDate: undefined,
    buyerName: undefined,
    buyerIce: undefined,
    type: undefined,
    precedingInvoices: undefined,
    ...fields,
  }
}

function randomRequest(random: Random, invoices: readonly Invoice[]): ListInvoicesRequest {
  const size = pick(random, [1, 7, 20, 100])
  const pages = Math.ceil(invoices.length / size)
  const some = (chance: number) => random() < chance
  const [from, to] = [day(random), day(random)]
  return listRequest({
    sortBy: pick(random, Object.keys(keys)),
    descending: some(0.5),
    page: {
      size,
      page: some(0.2) ? 0 : upTo(random, some(0.6) ? pages + 1 : Math.ceil(pages / 3)),
    },
    ...(some(0.4) && { status: pick(random, statuses) }),
    ...(some(0.2) && { invoiceDateFrom: from }),
    ...(some(0.2) && { invoiceDateTo: to }),
    ...(some(0.1) && { buyerIce: `00152571300000${upTo(random, 6)}` }),
    ...(some(0.2) && { type: pick(random, invoiceTypes) }),
    ...(some(0.1) && { precedingInvoiceNumber: `P-${upTo(random, 41)}` }),
    ...(some(0.05) && { invoiceNumber: pick(random, invoices).invoiceNumber }),
    ...(some(0.2) && { search: some(0.5) ? pick(random, searches) : drawSearch(random, invoices) }),
  })
}

const searches = ['atl', 'F-', '71300', '00152', 'é', '7', '12', 'sim-2026-7', 'absent', 'ATLAS']

/** Something of an invoice. */
function drawSearch(random: Random, invoices: readonly Invoice[]): string {
  const invoice = pick(random, invoices)
  const { invoiceNumber, buyerName, buyerIce, dgiReference, amountTtc, currency } = invoice
  const part = () => {
    const from = upTo(random, invoiceNumber.length - 2)
    return invoiceNumber.slice(from, from + 1 + upTo(random, 10))
  }
  const amount = (amountTtc / 10 ** minorUnitDigits(currency)).toFixed(minorUnitDigits(currency))
  return pick(random, [part(), amount, buyerName, buyerIce, dgiReference, invoiceNumber]) ?? '7'
}

function matches(invoice: Invoice, search: string): boolean {
  const { invoiceNumber, buyerName = '', buyerIce = '', dgiReference = '' } = invoice
  const digits = minorUnitDigits(invoice.currency)
  const amount = (invoice.amountTtc / 10 ** digits).toFixed(3)
  const isAmount = /^(0|[1-9]\d*)(\.\d{1,3})?$/.test(search)
  const isBegun = search.includes('.') ? amount.startsWith(search) : amount.startsWith(`${search}.`)
  const found = search.toLowerCase()
  return (
    invoiceNumber.toLowerCase().includes(found) ||
    buyerName.toLowerCase().includes(found) ||
    buyerIce.startsWith(found) ||
    dgiReference.toLowerCase().startsWith(found) ||
    (isAmount && isBegun)
  )
}

function scan(invoices: readonly Invoice[], request: ListInvoicesRequest) {
  const { status, invoiceDateFrom = '', invoiceDateTo = '9', buyerIce, invoiceNumber } = request
  const { search, type, precedingInvoiceNumber } = request
  const found = invoices.filter(
    (invoice) =>
      (status === undefined || invoice.status === status) &&
      invoice.invoiceDate >= invoiceDateFrom &&
      invoice.invoiceDate <= invoiceDateTo &&
      (buyerIce === undefined || invoice.buyerIce === buyerIce) &&
      (invoiceNumber === undefined || invoice.invoiceNumber === invoiceNumber) &&
      (type === undefined || (invoice.type ?? 'INVOICE') === type) &&
      (precedingInvoiceNumber === undefined || refersTo(invoice, precedingInvoiceNumber)) &&
      (search === undefined || matches(invoice, search)),
  )
  const key = keys[request.sortBy] as (invoice: Invoice) => Key
  const keyed = found.map((invoice) => ({ id: invoice.id, key: comparable(key(invoice)) }))
  keyed.sort((one, other) => compare(one.key, other.key) || (one.id < other.id ? -1 : 1))
  if (request.descending) keyed.reverse()
  const { page, size } = request.page as { page: number; size: number }
  return {
    total: found.length,
    ids: keyed.slice(page * size, (page + 1) * size).map(({ id }) => id),
  }
}

const refersTo = ({ precedingInvoices }: Invoice, number: string) =>
  precedingInvoices?.items.some(({ invoiceNumber }) => invoiceNumber === number) ?? false

/** Text by its bytes. */
const comparable = (key: Key) => (typeof key === 'number' ? key : Buffer.from(key))

function compare(one: number | Buffer, other: number | Buffer): number {
  if (typeof one === 'number' || typeof other === 'number') return Number(one) - Number(other)
  return Buffer.compare(one, other)
}
