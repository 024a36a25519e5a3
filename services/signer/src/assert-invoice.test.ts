import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Invoice } from '@einvoicing/proto/invoice'
import { assertInvoice } from './assert-invoice'

const simple = (): Invoice =>
  JSON.parse(readFileSync(join(__dirname, 'testdata', 'simple.json'), 'utf8')) as Invoice

it('returns the issuer of a valid invoice', () => {
  expect(assertInvoice(simple())).toEqual(simple().issuer)
})

const breaches: [name: string, breach: (invoice: Invoice) => void, says: RegExp][] = [
  ['no issuer', (invoice) => (invoice.issuer = undefined), /has no issuer/],
  ['a blank mention', ({ issuer }) => Object.assign(issuer ?? {}, { if: ' ' }), /issuer's if$/],
  ['no number', (invoice) => (invoice.invoiceNumber = '\t'), /no number/],
  ['an unknown currency', (invoice) => (invoice.currency = 'XXX'), /no known currency/],
  ['no lines', (invoice) => (invoice.lines = []), /no lines/],
  [
    'a line too dear',
    ({ lines }) => Object.assign(lines[0] ?? {}, { amountHt: 1_500_001 }),
    /add up/,
  ],
  ['a total too low', (invoice) => (invoice.amountTtc -= 1), /add up/],
  ['a VAT too high', (invoice) => (invoice.amountVat += 1), /add up/],
  [
    'a taxable amount off',
    ({ vatSubtotals }) => Object.assign(vatSubtotals[0] ?? {}, { taxableAmount: 1 }),
    /add up/,
  ],
  [
    'a rate without subtotal',
    ({ lines }) => Object.assign(lines[0] ?? {}, { vatRate: 10 }),
    /one VAT subtotal for each rate/,
  ],
  [
    'a rate listed twice',
    ({ vatSubtotals }) => vatSubtotals.push({ vatRate: 20, taxableAmount: 0, vatAmount: 0 }),
    /one VAT subtotal for each rate/,
  ],
]

it.each(breaches)('treats %s as a defect', (_, breach, message) => {
  const invoice = simple()
  breach(invoice)
  expect(() => assertInvoice(invoice)).toThrow(message)
})
