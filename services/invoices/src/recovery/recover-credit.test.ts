import type { Invoice, PrecedingInvoice } from '@einvoicing/proto/invoice'
import type { InvoiceStore } from '../store/store'
import { anInvoice, write } from '../store/testdata/invoices'
import { useSqliteStore } from '../store/testdata/sqlite'
import { call } from '../testdata/neighbours'
import { recoverCredit } from './recover-credit'

const signed = { xmlSha256: 'ab'.repeat(32) }

let store: InvoiceStore
useSqliteStore((opened) => (store = opened))

const hold = async (fields: Partial<Invoice>) => {
  const invoice = anInvoice(fields)
  await store.create(write(invoice))
  return invoice
}

/** Of 20 % VAT. */
const total = (taxableAmount: number): Partial<Invoice> => ({
  vatSubtotals: [{ vatRate: 20, taxableAmount, vatAmount: taxableAmount / 5 }],
  amountTtc: taxableAmount * 1.2,
})

async function recover(originals: readonly PrecedingInvoice[], amount: number): Promise<Invoice> {
  const items = originals.map(({ invoiceNumber, invoiceDate }) => ({ invoiceNumber, invoiceDate }))
  const fields = { type: 'CREDIT_NOTE', precedingInvoices: { items }, ...signed }
  const note = anInvoice({ ...fields, ...total(amount) })
  const deps = { store, now: () => new Date() }
  const change = { seen: undefined, write: write(note) }
  expect(await recoverCredit(deps, change, call())).toBe('changed')
  return (await store.get('org-1', note.id))!
}

const readBooked = async ({ id }: Invoice) => {
  const { credits } = (await store.get('org-1', id))!
  return credits?.items.map(({ bases, amountTtc }) => [
    bases.map(({ amount }) => amount),
    amountTtc,
  ])
}

test.each(['PENDING', 'CANCELLED'] as const)(
  'an invoice that is only held as %s was issued elsewhere: nothing waits for it',
  async (status) => {
    const held = await hold({ status })
    const note = await recover([held], 300)
    expect(note.waitsFor).toBeUndefined()
    expect(note.precedingInvoices?.items).toMatchObject([{ invoiceNumber: held.invoiceNumber }])
    expect(note.precedingInvoices?.items[0]?.id).toBeUndefined()
    expect(await readBooked(held)).toBeUndefined()
  },
)

const elsewhere = { invoiceNumber: 'X-1', invoiceDate: '2026-05-03' }

test('an invoice is credited at most whole, where the rest is of one issued elsewhere', async () => {
  const held = await hold({ ...total(200), ...signed })
  await recover([held, elsewhere], 300)
  await recover([elsewhere, held], 300)
  expect(await readBooked(held)).toEqual([
    [[200], 240],
    [[200], 240],
  ])
})

test('a later credit note takes what was left, and its excess is one amount of that tax', async () => {
  const held = await hold({ ...total(200), ...signed })
  await recover([held], 150)
  await recover([held], 120)
  expect(await readBooked(held)).toEqual([
    [[150], 180],
    [[120], 144],
  ])
})

test('the excess is divided among the invoices, each at most whole', async () => {
  const originals = [
    await hold({ ...total(200), ...signed }),
    await hold({ ...total(100), ...signed }),
  ]
  await recover(originals, 300)
  await recover(originals, 300)
  for (const [index, amount] of [200, 100].entries()) {
    const credit = [[amount], amount * 1.2]
    expect(await readBooked(originals[index]!)).toEqual([credit, credit])
  }
})

test('what no invoice has stays with the first, where all are held', async () => {
  const held = await hold({ ...total(200), ...signed })
  await recover([held], 300)
  expect(await readBooked(held)).toEqual([[[300], 360]])
})
