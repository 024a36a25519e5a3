import fc from 'fast-check'
import { EinvoicingError } from './errors'
import { invoiceJson } from './invoice-json'
import { findDifferences, findAllDifferences } from './same-invoice'
import type { Invoice, NewInvoice } from './schemas'

const line = {
  lineNumber: 1,
  description: 'Conseil "2"',
  quantity: 2,
  unitPrice: 450.5,
  vatRate: 20,
}
const invoice = {
  invoiceNumber: 'F-1',
  invoiceDate: '2026-01-31',
  currency: 'MAD',
  paymentMethod: 'CASH',
  lines: [line],
} as NewInvoice

const digits = fc
  .tuple(fc.bigInt({ min: 0n, max: 10n ** 12n - 1n }), fc.stringMatching(/^\d{1,10}$/))
  .map(([whole, fraction]) => `${whole}.${fraction}`)

it('writes amounts given as text digit for digit, and the rest as JSON does', () => {
  fc.assert(
    fc.property(digits, fc.string(), (unitPrice, description) => {
      const body = { ...invoice, lines: [{ ...line, unitPrice, description }] } as NewInvoice
      const json = invoiceJson(body)
      expect(json).toContain(`"unitPrice":${unitPrice},`)
      const lines = [{ ...line, unitPrice: Number(unitPrice), description }]
      expect(JSON.parse(json)).toEqual({ ...invoice, lines })
    }),
  )
})

it.each([
  '',
  ' ',
  '01',
  '.5',
  '5.',
  '1e3',
  '+1',
  '1,5',
  '1 000',
  'NaN',
  '0x1',
  '5"',
  NaN,
  Infinity,
])('rejects %p as an amount and names the field', (quantity) => {
  const lines = [line, { ...line, quantity }]
  const write = () => invoiceJson({ ...invoice, lines } as NewInvoice)
  expect(write).toThrow(EinvoicingError)
  expect(write).toThrow(/^The invoice cannot be sent: lines\[1\]\.quantity must be a /)
})

it('sends unknown fields, for the service to check', () => {
  for (const body of [{ lines: 'none' }, { lines: [null, 7, 'x'] }, {}, { buyerName: undefined }]) {
    expect(JSON.parse(invoiceJson(body as never))).toEqual(JSON.parse(JSON.stringify(body)))
  }
  expect(invoiceJson('{ "as": "it is" }')).toBe('{ "as": "it is" }')
})

it.each([
  ['{"a": ', /^the invoice is not JSON: /],
  ['', /^the invoice is not JSON: /],
  ['[]', /^the invoice is no JSON object$/],
  ['null', /^the invoice is no JSON object$/],
])('rejects a text that cannot be an invoice: %p', (text, message) => {
  expect(() => invoiceJson(text)).toThrow(TypeError)
  expect(() => invoiceJson(text)).toThrow(message)
})

describe('the same invoice', () => {
  const absent = { buyerIce: null, buyerName: null, buyerAddress: null, dueDate: null }
  const storedLine = { ...line, unit: null, vatExemptionReason: null, amountHt: 901 }
  const stored = {
    ...invoice,
    ...absent,
    status: 'SIGNED',
    lines: [storedLine],
  } as unknown as Invoice

  it.each<[object, string[]]>([
    [{}, []],
    [{ buyerName: ' ', buyerIce: null }, []],
    [{ buyerName: 'Rif' }, ['buyerName']],
    [
      { lines: [{ ...line, unitPrice: 450.51, unit: 'jour' }] },
      ['lines[0].unitPrice', 'lines[0].unit'],
    ],
    [{ lines: [line, line] }, ['lines']],
    [{ lines: [] }, ['lines']],
    [{ invoiceDate: '2026-02-01', currency: 'EUR' }, ['invoiceDate', 'currency']],
  ])('%j differs by %j', (changes, fields) => {
    expect(findAllDifferences(JSON.stringify({ ...invoice, ...changes }), stored)).toEqual(fields)
  })

  it('is not an invoice with other fields, or its draft', () => {
    const whole = JSON.stringify(invoice)
    expect(findAllDifferences(whole, { ...stored, buyerName: 'Rif' })).toEqual(['buyerName'])
    expect(findAllDifferences(whole, { ...stored, status: 'PENDING' })).toEqual(['status'])
    expect(findAllDifferences(whole, { ...stored, status: 'CANCELLED' })).toEqual(['status'])
    const draft = JSON.stringify({ ...invoice, draft: true })
    expect(findAllDifferences(draft, { ...stored, status: 'PENDING' })).toEqual([])
  })

  it('compares only the given fields of a change', () => {
    const named = { ...stored, buyerName: 'Rif' }
    expect(findDifferences('{"dueDate":null}', named)).toEqual([])
    expect(findDifferences('{"buyerName":null}', named)).toEqual(['buyerName'])
  })

  it('compares digits that a JavaScript number cannot hold', () => {
    const unitPrice = '123456789012.3456789012'
    const json = invoiceJson({ ...invoice, lines: [{ ...line, unitPrice }] } as NewInvoice)
    const lines = [{ ...storedLine, unitPrice: Number(unitPrice) }] as Invoice['lines']
    expect(findAllDifferences(json, { ...stored, lines })).toEqual([])
  })
})
