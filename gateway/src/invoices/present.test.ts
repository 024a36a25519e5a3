import { invoiceFieldNames, invoiceFields } from '@einvoicing/domain/invoice-fields'
import type { Invoice } from '@einvoicing/proto/invoice'
import { writeExactJson } from '../json/exact-json'
import { presentInvoice, presentListed, presentPage, presentStatus } from './present'

const invoice: Invoice = {
  id: 'i',
  organizationId: 'o',
  status: 'REJECTED',
  issuer: undefined,
  invoiceNumber: 'F-1',
  invoiceDate: '2026-01-31',
  currency: 'TND',
  paymentMethod: 'CASH',
  lines: [
    {
      lineNumber: 1,
      description: 'd',
      quantity: '0.0000000001',
      unitPrice: '12.5',
      vatRate: 20,
      amountHt: 1,
    },
  ],
  amountHt: 999_999_999_999_999,
  amountVat: 1,
  amountTtc: 0,
  vatSubtotals: [],
  dgiRejectedAt: '2026-02-01T00:00:00.000Z',
  dgiErrorCode: 'DUPLICATE_INVOICE',
  createdAt: '2026-01-31T00:00:00.000Z',
  updatedAt: '2026-01-31T00:00:00.000Z',
}

it('writes amounts in the minor unit of the currency, exactly', () => {
  const text = (currency: string) => JSON.stringify(presentListed({ ...invoice, currency }))
  expect(text('TND')).toContain('"amountHt":999999999999.999,"amountVat":0.001,"amountTtc":0,')
  expect(text('MAD')).toContain('"amountHt":9999999999999.99,"amountVat":0.01,"amountTtc":0,')
  expect(text('JPY')).toContain('"amountHt":999999999999999,"amountVat":1,"amountTtc":0,')
})

it('shows every digit of quantities and prices', () => {
  const [line] = invoice.lines
  const lines = [
    { ...line!, quantity: '123456789012.1234567891', unitPrice: '0.30000000000000004' },
  ]
  const text = writeExactJson(presentInvoice({ ...invoice, lines }))
  expect(text).toContain('"quantity":123456789012.1234567891,"unitPrice":0.30000000000000004,')
})

it('has all fields of the single read, null where there is nothing', () => {
  expect(Object.keys(presentInvoice(invoice)).sort()).toEqual(
    [
      ...['id', 'organizationId', 'invoiceNumber', 'status', 'issuerIce', 'issuerName'],
      ...invoiceFieldNames.filter(
        (name) => invoiceFields[name] === 'optional' && name !== 'dueDate',
      ),
      ...['currency', 'paymentMethod'],
      ...['amountHt', 'amountVat', 'amountTtc', 'invoiceDate', 'dueDate', 'dgiReference'],
      ...['dgiQrCode', 'dgiQrPayload', 'dgiSubmittedAt', 'dgiValidatedAt', 'dgiRejectedAt'],
      ...['dgiErrorCode', 'dgiErrorMessage', 'createdAt', 'updatedAt', 'lines'],
      ...['vatBreakdown', 'warnings', 'lineTotalHt', 'allowanceTotal', 'chargeTotal'],
      ...['creditNotes', 'creditedTtc', 'signatureLevel', 'timeStampedAt', 'verificationUrl'],
      ...['amountDue', 'stampDutyAmount', 'vatWithheldAmount', 'amountAfterWithholding'],
    ].sort(),
  )
  expect(presentInvoice(invoice)).toMatchObject({
    dgiReference: null,
    dgiErrorCode: 'DUPLICATE_INVOICE',
    lines: [{ quantity: 1e-10, unitPrice: 12.5, amountHt: 0.001, unit: null }],
  })
})

it('has the credited amounts and the remainder', () => {
  const taken = (creditNoteId: string, vatRate: number, amount: number) => ({
    creditNoteId,
    invoiceNumber: `AV-${creditNoteId}`,
    status: 'ACCEPTED' as const,
    bases: [{ vatCategory: 'S', vatRate, amount }],
    amountTtc: amount + 10,
  })
  const credited: Invoice = {
    ...invoice,
    status: 'ACCEPTED',
    currency: 'MAD',
    vatSubtotals: [
      { vatRate: 20, taxableAmount: 100, vatAmount: 20 },
      { vatRate: 0, taxableAmount: 50, vatAmount: 0 },
    ],
    credits: { items: [taken('1', 20, 60), taken('2', 20, 15)] },
  }
  expect(presentInvoice(credited)).toMatchObject({
    creditedTtc: 0.95,
    creditNotes: [
      { id: '1', invoiceNumber: 'AV-1', status: 'ACCEPTED', amountTtc: 0.7 },
      { id: '2', amountTtc: 0.25 },
    ],
    vatBreakdown: [{ creditableAmount: 0.25 }, { vatCategory: 'E', creditableAmount: 0.5 }],
  })
  const failed = presentInvoice({ ...credited, status: 'FAILED' })
  expect(failed.vatBreakdown).toMatchObject([{ creditableAmount: 0 }, { creditableAmount: 0 }])
})

it('has exactly the fields of the status object', () => {
  expect(presentStatus(invoice)).toEqual({
    id: 'i',
    status: 'REJECTED',
    dgiReference: null,
    dgiQrPayload: null,
    dgiErrorCode: 'DUPLICATE_INVOICE',
    dgiErrorMessage: null,
    dgiSubmittedAt: null,
    dgiValidatedAt: null,
    dgiRejectedAt: '2026-02-01T00:00:00.000Z',
  })
})

it.each([
  [0, 20, 0, { totalPages: 0, first: true, last: true }],
  [0, 20, 20, { totalPages: 1, first: true, last: true }],
  [0, 20, 21, { totalPages: 2, first: true, last: false }],
  [1, 20, 21, { totalPages: 2, first: false, last: true }],
  [9, 20, 21, { totalPages: 2, first: false, last: true }],
])('page %i of size %i with %i in all', (page, size, total, expected) => {
  expect(presentPage([], { page, size }, total)).toEqual({
    content: [],
    page,
    size,
    totalElements: total,
    ...expected,
  })
})
