import { notCopiedFields } from '@einvoicing/domain/invoice-fields'

const { startDraft, findDeductible, findPossibleDeposits } = jest.requireActual(
  '../../dashboard/src/invoices/new-draft',
)
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

test('a correction has everything of the rejected invoice but its number and date', () => {
  const lines = [{ ...invoice.lines[0], lineNumber: 20 }]
  const precedingInvoices = [{ id: null, invoiceNumber: 'AC-1', invoiceDate: '2026-01-02' }]
  const allowances = [{ amount: 5, percent: null, vatRate: 20, vatCategory: 'S', reason: 'x' }]
  const rejected = { ...invoice, lines, precedingInvoices, allowances }
  const { lines: typedLines, ...corrected } = start('correct', rejected)
  expect(corrected).toMatchObject({
    invoiceNumber: '',
    invoiceDate: '2026-11-21',
    dueDate: '2026-02-28',
    prepaidAmount: '10',
    deliveryDate: '2026-01-15',
    deliveryNoteNumber: 'BL-1',
    paymentReference: 'REF-1',
    'servicePeriod.from': '2026-01-01',
    'servicePeriod.to': '2026-01-31',
    precedingInvoices: [{ invoiceNumber: 'AC-1' }],
    allowances: [{ value: '5', reason: 'x' }],
  })
  const period = { 'servicePeriod.from': '2026-01-01', 'servicePeriod.to': '2026-01-31' }
  expect(typedLines).toMatchObject([{ lineNumber: 20, ...period }])
  expect(start('correct', { ...rejected, type: 'CREDIT_NOTE' }).type).toBe('CREDIT_NOTE')
})

describe('the deposit that an invoice deducts', () => {
  const precedingInvoices = [{ id: null, invoiceNumber: 'AC-1', invoiceDate: '2026-05-03' }]
  const deduct = (reason: string) => ({ ...adjustment, amount: 9000, reason })
  const adjustment = { amount: 1, percent: null, vatRate: 20, vatCategory: 'S', reasonCode: null }
  const deducted = deduct('Acompte, facture AC-1 du 03/05/2026')
  const discount = { ...adjustment, percent: 5, reason: 'Remise' }
  const byHand = deduct('Avance AC-1')
  const final = { ...invoice, precedingInvoices, allowances: [deducted, discount, byHand] }
  const possible = (purpose: string, original: object) =>
    findPossibleDeposits({ purpose, invoice: original }, start(purpose, original))

  test('is not deducted again by a copy; what may be one is named', () => {
    const copied = start('copy', final)
    expect(copied.precedingInvoices).toEqual([])
    expect(copied.allowances).toMatchObject([{ reason: 'Remise' }, { reason: 'Avance AC-1' }])
    expect(possible('copy', final)).toEqual(['Remise', 'Avance AC-1'])
    const twice = { ...final, allowances: [byHand, { ...byHand, vatRate: 10 }] }
    expect(possible('copy', twice)).toEqual(['Avance AC-1'])
    const removed = { ...copied, allowances: [] }
    expect(findPossibleDeposits({ purpose: 'copy', invoice: final }, removed)).toEqual([])
  })

  test('is that of a referenced invoice, by an amount', () => {
    const other = deduct('Acompte, facture AC-2 du 03/05/2026')
    const percent = { ...deducted, percent: 5 }
    const allowances = [other, percent]
    expect(start('copy', { ...final, allowances }).allowances).toHaveLength(2)
    const alone = { ...final, precedingInvoices: null }
    expect(start('copy', alone).allowances).toHaveLength(3)
    expect(possible('copy', alone)).toEqual([])
  })

  test.each([
    ['correct', final],
    ['copy', { ...final, type: 'CREDIT_NOTE' }],
    ['copy', { ...final, status: 'CANCELLED' }],
    ['copy', { ...final, status: 'REJECTED' }],
  ])('stays with its document: %s', (purpose, original) => {
    const kept = start(purpose, original)
    expect(kept.precedingInvoices).toMatchObject(precedingInvoices)
    expect(kept.allowances).toHaveLength(3)
    expect(possible(purpose, original)).toEqual([])
  })

  test('is deducted by the balance as a copy finds it', () => {
    const vatBreakdown = [{ vatRate: 20, vatCategory: 'S', creditableAmount: 9000 }]
    const deposit = { ...invoice, invoiceNumber: 'AC-1', invoiceDate: '2026-05-03', vatBreakdown }
    expect(start('balance', deposit).allowances).toMatchObject([{ reason: deducted.reason }])
  })
})

describe('the numbers of lines', () => {
  const [line] = invoice.lines
  const numbered = (...numbers: number[]) => ({
    ...invoice,
    lines: numbers.map((lineNumber) => ({ ...line, lineNumber })),
  })
  const numbers = (typed: object): number[] =>
    draft.toContent(typed, 'en').lines.map(({ lineNumber }: { lineNumber: number }) => lineNumber)

  test('stay with their lines; a new line follows the highest', () => {
    const typed = draft.toTypedDraft(numbered(20, 10), 'en')
    const [twenty, ten] = typed.lines
    expect(numbers(typed)).toEqual([20, 10])
    const added = [draft.createLine(), ten, draft.createLine(), twenty]
    expect(numbers({ ...typed, lines: added })).toEqual([21, 10, 22, 20])
  })

  test('follow the order where they only count the lines', () => {
    const typed = draft.toTypedDraft(numbered(1, 2, 3), 'en')
    const [first, second, third] = typed.lines
    expect(numbers({ ...typed, lines: [third, first, second] })).toEqual([1, 2, 3])
    expect(numbers({ ...typed, lines: [second, third] })).toEqual([1, 2])
  })

  test('are free ones after the highest that is allowed', () => {
    const typed = draft.toTypedDraft(numbered(2, 2_147_483_646), 'en')
    const added = [...typed.lines, draft.createLine(), draft.createLine()]
    expect(numbers({ ...typed, lines: added })).toEqual([2, 2_147_483_646, 1, 3])
  })

  test.each(['copy', 'credit'])('begin at 1 in a new document: %s', (purpose) => {
    expect(numbers(start(purpose, numbered(20, 10)))).toEqual([1, 2])
  })
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
