import { findAllDifferences, findCreditDifferences, findDifferences } from './same-invoice'
import type { Invoice } from './schemas'

const line = {
  lineNumber: 1,
  description: 'Conseil',
  quantity: 2,
  unitPrice: 4500,
  vatRate: 20,
  unit: null,
  amountHt: 9000,
}
const other = { ...line, lineNumber: 2, description: 'Transport', quantity: 1, unitPrice: 120.5 }
const original = {
  id: '6e7f4d1c-0000-4000-8000-000000000001',
  type: 'INVOICE',
  status: 'ACCEPTED',
  invoiceNumber: 'F-1',
  invoiceDate: '2026-05-03',
  dueDate: '2026-06-02',
  currency: 'MAD',
  paymentMethod: 'CASH',
  buyerName: 'Atlas',
  note: 'Merci',
  allowances: [{ percent: 2, amount: 182.41, reason: 'Remise' }],
  lines: [line, other],
} as unknown as Invoice
const sent = { invoiceNumber: 'AV-1', invoiceDate: '2026-05-10', correctionReason: 'Retour' }
const { id, invoiceNumber, invoiceDate } = original
const stored = {
  ...original,
  ...sent,
  id: '6e7f4d1c-0000-4000-8000-000000000002',
  type: 'CREDIT_NOTE',
  status: 'SIGNED',
  dueDate: null,
  precedingInvoices: [{ id, invoiceNumber, invoiceDate }],
} as Invoice

const differences = (note: object, found: object) =>
  findCreditDifferences(JSON.stringify({ ...sent, ...note }), original, { ...stored, ...found })

const half = { lines: [{ lineNumber: 1, quantity: 1 }] }
const storedHalf = { lines: [{ ...line, quantity: 1, amountHt: 4500 }] }

it.each<[string, object, object]>([
  ['the whole invoice', {}, {}],
  ['the whole invoice, with its fields null', { lines: null, paymentMethod: null }, {}],
  ['some lines', half, storedHalf],
  ['quantities as text', { lines: [{ lineNumber: 1, quantity: '1.0' }] }, storedHalf],
  ['another way of payment', { paymentMethod: 'CARD' }, { paymentMethod: 'CARD' }],
  ['a text that prints as nothing', { note: '\u200B' }, { note: null }],
  ['a draft', { draft: true }, { status: 'PENDING' }],
])('a credit note is the same: %s', (_, note, found) => {
  expect(differences(note, found)).toEqual([])
})

it.each<[string, object, object, string[]]>([
  ['a part instead of the whole', {}, storedHalf, ['lines']],
  ['the whole instead of a part', half, {}, ['lines']],
  ['less of every line', {}, { lines: [line, { ...other, quantity: 0.5 }] }, ['lines[1].quantity']],
  [
    'another price',
    half,
    { lines: [{ ...line, quantity: 1, unitPrice: 1 }] },
    ['lines[0].unitPrice'],
  ],
  [
    'a line that the invoice has not',
    { lines: [{ lineNumber: 3, quantity: 1 }] },
    storedHalf,
    ['lines[0].lineNumber'],
  ],
  ['no allowance', {}, { allowances: null }, ['allowances']],
  ['the way of payment', { paymentMethod: 'CARD' }, {}, ['paymentMethod']],
  ['the date', { invoiceDate: '2026-05-11' }, {}, ['invoiceDate']],
  ["a buyer's reference", {}, { buyerReference: 'R-1' }, ['buyerReference']],
  ['a due date', {}, { dueDate: '2026-06-02' }, ['dueDate']],
  ['the invoice', {}, { precedingInvoices: [{ id: stored.id }] }, ['precedingInvoices']],
  ['an invoice', {}, { type: 'INVOICE', precedingInvoices: null }, ['type', 'precedingInvoices']],
  ['a draft', {}, { status: 'PENDING' }, ['status']],
  ['a cancelled draft', {}, { status: 'CANCELLED' }, ['status']],
])('a credit note differs: %s', (_, note, found, fields) => {
  expect(differences(note, found)).toEqual(expect.arrayContaining(fields))
})

it('a reference by an id in upper case is the same', () => {
  const find = (preceding: object) =>
    findDifferences(JSON.stringify({ precedingInvoices: [preceding] }), {
      ...stored,
      precedingInvoices: [{ id: 'a-1', invoiceNumber: 'f-1', invoiceDate }],
    })
  expect(find({ id: 'A-1' })).toEqual([])
  expect(find({ id: 'B-1' })).toEqual(['precedingInvoices'])
  expect(find({ id: 'A-1', invoiceNumber: 'F-1' })).toEqual(['precedingInvoices'])
})

describe('a buyer that is empty in the request', () => {
  const empty = { buyerName: null, buyerReference: ' ', buyerType: null }
  const note = { ...stored, buyerReference: 'R-1', buyerType: 'BUSINESS' } as Invoice
  const named = (found: object) => findDifferences(JSON.stringify(empty), { ...note, ...found })
  const others = { precedingInvoices: [{ id: null, invoiceNumber, invoiceDate }] }

  it('is that of the original in a new credit note', () => {
    const body = JSON.stringify({ ...note, ...empty })
    expect(findAllDifferences(body, note)).toEqual([])
    const other = JSON.stringify({ ...note, ...empty, buyerName: 'Rif' })
    expect(findAllDifferences(other, note)).toEqual(['buyerName'])
  })

  it('clears only what a change can clear', () => {
    expect(named({})).toEqual(['buyerType', 'buyerReference'])
    expect(named({ buyerReference: null, buyerType: null })).toEqual([])
  })

  it('is no buyer where the service has no original', () => {
    expect(named(others)).toContain('buyerName')
    expect(named({ type: 'INVOICE' })).toContain('buyerName')
    const body = JSON.stringify({ ...note, ...others, buyerName: null })
    expect(findAllDifferences(body, { ...note, ...others })).toEqual(['buyerName'])
  })
})

it.each<[Invoice['status'], string[]]>([
  ['PENDING', []],
  ['SIGNED', []],
  ['CANCELLED', ['status']],
])('a draft is the same while it is %s: differs in %p', (status, fields) => {
  expect(differences({ draft: true }, { status })).toEqual(fields)
})
