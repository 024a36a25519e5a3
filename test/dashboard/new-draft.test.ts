import { notCopiedFields } from '@einvoicing/domain/invoice-fields'

const { startDraft, findDeductible } = jest.requireActual('../../dashboard/src/invoices/new-draft')
const { hasFoldedField } = jest.requireActual('../../dashboard/src/invoices/folded-fields')
const draft = jest.requireActual('../../dashboard/src/invoices/draft')
const { en } = jest.requireActual('../../dashboard/src/i18n/en')

const today = new Date('2026-11-21T12:00:00Z')
const servicePeriod = { from: '2026-01-01', to: '2026-01-31' }
const invoice = {
  id: '1',
  type: 'INVOICE',
  invoiceNumber: 'F-1',
  invoiceDate: '2026-01-31',
  currency: 'MAD',
  paymentMethod: 'CASH',
  buyerName: 'Marjane',
  buyerCity: 'Rabat',
  dueDate: '2026-02-28',
  prepaidAmount: 10,
  paymentTerms: '30 jours',
  stampDuty: true,
  paymentReference: 'REF-1',
  paymentAccount: { rib: '1', iban: '2', bic: '3', name: '4' },
  deliveryDate: '2026-01-15',
  deliveryNoteNumber: 'BL-1',
  servicePeriod,
  vatWithholdingPercent: 75,
  lines: [{ description: 'x', quantity: 1, unitPrice: 100, vatRate: 20, servicePeriod }],
  vatBreakdown: [] as object[],
}
const start = (purpose: string, original: object = invoice) =>
  startDraft({ purpose, invoice: original }, { language: 'en', texts: en, today })

test('a copy has no delivery, period, or payment reference of the old invoice', () => {
  const { lines, ...copied } = start('copy')
  expect(copied).toMatchObject({
    invoiceNumber: '',
    invoiceDate: '2026-11-21',
    dueDate: '',
    prepaidAmount: '',
    deliveryDate: '',
    deliveryNoteNumber: '',
    paymentReference: '',
    'servicePeriod.from': '',
    'servicePeriod.to': '',
    paymentTerms: '30 jours',
    'paymentAccount.rib': '1',
    stampDuty: true,
  })
  expect(lines).toMatchObject([{ 'servicePeriod.from': '', 'servicePeriod.to': '' }])
})

test('a credit note takes the same fields as one of the API', () => {
  const content = draft.toContent(start('credit'), 'en')
  const taken = notCopiedFields.filter((name) => content[name] !== null)
  expect(taken).toEqual([])
  expect(content).toMatchObject({ vatWithholdingPercent: 75, deliveryDate: '2026-01-15' })
  expect(content).toMatchObject({ servicePeriod, lines: [{ servicePeriod }] })
})

describe('the balance of a deposit', () => {
  const rate = (vatRate: number, taxableAmount: number, creditableAmount: number) => ({
    vatRate,
    vatCategory: 'S',
    taxableAmount,
    creditableAmount,
  })
  const credited = (...vatBreakdown: object[]) => ({ ...invoice, vatBreakdown })

  test('deducts what is not credited', () => {
    const deposit = credited(rate(20, 1000, 400), rate(10, 500, 0))
    const { allowances, lines } = start('balance', deposit)
    expect(allowances).toMatchObject([{ value: '400', rate: '20' }])
    expect(lines).toMatchObject([{ vatRate: '20' }])
    expect(findDeductible(deposit)).toHaveLength(1)
  })

  test('deducts nothing of a deposit that is credited as a whole', () => {
    const deposit = credited(rate(20, 1000, 0))
    expect(findDeductible(deposit)).toEqual([])
    expect(start('balance', deposit)).toMatchObject({ allowances: [], lines: [{ vatRate: '20' }] })
  })
})

test.each([
  [{}, false],
  [{ paymentReference: 'REF-1' }, true],
  [{ 'servicePeriod.from': '2026-01-01' }, true],
  [{ stampDuty: true }, true],
  [{ precedingInvoices: [{}] }, true],
  [{ precedingInvoices: [{}], type: 'CREDIT_NOTE' }, false],
  [{ buyerName: 'Marjane' }, false],
])('the folded part of a draft with %j is open: %j', (fields, isOpen) => {
  expect(hasFoldedField({ ...draft.createDraftForm(today), ...fields })).toBe(isOpen)
})
