import type { InvoiceStore } from '../store/store'
import { anInvoice, write } from '../store/testdata/invoices'
import { useSqliteStore } from '../store/testdata/sqlite'
import { content } from '../testdata/neighbours'
import { checkContent } from './references'

let stored: InvoiceStore
useSqliteStore((store) => (stored = store))

it.each(['id', 'invoiceNumber'] as const)('finds originals by %s, without lines', async (name) => {
  const originals = [1, 2].map((n) => anInvoice({ invoiceNumber: `F-${n}`, buyerName: 'Buyer' }))
  for (const each of originals) await stored.create(write(each))
  const get: InvoiceStore['get'] = () => Promise.reject(new Error('a whole invoice was read'))
  const items = originals.map((original) => ({ [name]: original[name] }))
  const note = content({
    type: 'CREDIT_NOTE',
    correctionReason: 'returned',
    precedingInvoices: { items },
    invoiceDate: originals[0]!.invoiceDate,
    buyerName: undefined,
  })
  const deps = { store: { ...stored, get }, now: () => new Date() }
  const found = await checkContent(deps, 'org-1', note)
  expect(found.originals).toEqual(originals.map((original) => ({ ...original, lines: [] })))
  expect(found.content).toMatchObject({
    buyerName: 'Buyer',
    precedingInvoices: {
      items: originals.map(({ id, invoiceNumber, invoiceDate }) => {
        return { id, invoiceNumber, invoiceDate }
      }),
    },
  })
  await expect(checkContent(deps, 'org-2', note)).rejects.toThrow()
})
