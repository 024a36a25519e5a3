/** What the forms say while one types, before the service is asked. */

// Imported by the draft, not called: it cannot be loaded here.
jest.mock('wouter', () => ({}))

// The dashboard is of another compiler's configuration: loaded as it is, without its types.
const mentions = jest.requireActual('../../dashboard/src/organization/mention-errors')
const credentials = jest.requireActual('../../dashboard/src/session/credential-errors')
const draft = jest.requireActual('../../dashboard/src/invoices/draft')
const remainder = jest.requireActual('../../dashboard/src/invoices/credit-remainder')
const draftErrors = jest.requireActual('../../dashboard/src/invoices/draft-errors')
const preview = jest.requireActual('../../dashboard/src/invoices/preview-totals')
const adjustments = jest.requireActual('../../dashboard/src/invoices/typed-adjustments')
const pageSums = jest.requireActual('../../dashboard/src/invoices/page-sums')
const keyStates = jest.requireActual('../../dashboard/src/keys/key-state')

/** Each message is its own name, with what it was given. */
const messages = new Proxy(
  {},
  { get: (_, name) => (/digits|long/i.test(String(name)) ? called(String(name)) : String(name)) },
)
const called = (name: string) =>
  Object.assign((...values: unknown[]) => [name, ...values].join(' '), { toString: () => name })

test.each([
  ['name', '', 'required'],
  ['name', 'x'.repeat(256), null],
  ['name', '𝄞'.repeat(256), null],
  ['name', 'x'.repeat(257), 'long 256'],
  ['city', '', null],
  ['ice', '', null],
  ['ice', ' 001523467000017 ', null],
  ['ice', '00152346700001', 'digits 15 14'],
  ['ice', '00152346700001x', 'onlyDigits 15'],
  ['ice', '٠٠١٥٢٣٤٦٧٠٠٠٠١٧', 'onlyDigits 15'],
  ['rib', '0117800000123456789012965', 'digits 24 25'],
  ['if', '12 34', null],
  ['if', '12-34', 'fiscal'],
  ['ice', '001 523 467 000 017', null],
  ['rib', '011 780 0000123456789012 96', null],
  ['rc', 'néant', null],
  ['rc', '123456 Rabat', null],
  ['tp', '1;2', 'registration'],
  ['cnss', 'é1', null],
  ['email', 'a@b', 'email'],
  ['email', 'a@b.ma', null],
])('%s written as %j: %j', (name, typed, expected) => {
  expect(mentions.findMentionError(name, typed, messages)).toBe(expected)
})

test.each([
  ['ice', '001523467000017', '001523467000018'],
  ['rib', '011780000012345678901296', '011780000012345678901295'],
])('the key of an %s that does not match is a warning, not an error', (name, right, wrong) => {
  expect(mentions.findMentionWarning(name, right, messages)).toBeNull()
  expect(mentions.findMentionWarning(name, wrong, messages)).not.toBeNull()
  expect(mentions.findMentionError(name, wrong, messages)).toBeNull()
})

test('a password of 10 characters is long enough, an address needs a domain', () => {
  expect(credentials.findPasswordError('x'.repeat(9), messages)).toBe('tooShort')
  expect(credentials.findPasswordError('x'.repeat(10), messages)).toBeNull()
  expect(credentials.findEmailError('a@b', messages)).toBe('invalidEmail')
  expect(credentials.findEmailError(' a@b.ma ', messages)).toBeNull()
})

const typedDraft = (changed: object, line: object = {}) => {
  const typed = draft.createDraftForm(new Date('2026-11-21T12:00:00Z'))
  const [empty] = typed.lines
  const lines = [{ ...empty, description: 'x', unitPrice: '1', ...line }]
  return { ...typed, invoiceNumber: 'A', ...changed, lines }
}

test('a new draft is dated today in Morocco, where the browser may be anywhere', () => {
  const { invoiceDate } = draft.createDraftForm(new Date('2026-11-21T23:30:00Z'))
  expect(invoiceDate).toBe('2026-11-22')
})

const findErrors = (typed: object, language = 'en') => {
  const errors = draftErrors.findErrors(typed, language, messages)
  return Object.fromEntries(
    Object.entries(errors).map(([field, message]) => [field, String(message)]),
  )
}

test.each([
  [{ invoiceDate: '' }, { invoiceDate: 'required' }],
  [{ invoiceDate: '1999-12-31' }, { invoiceDate: 'invoiceDate' }],
  [{ invoiceDate: '9999-12-31' }, { invoiceDate: 'invoiceDate' }],
  [{ invoiceDate: '2026-02-28', dueDate: '2026-02-27' }, { dueDate: 'dueDate' }],
  [{ invoiceDate: '2024-02-29', dueDate: '2034-02-28' }, {}],
  [{ invoiceDate: '2024-02-29', dueDate: '2034-03-01' }, { dueDate: 'dueDateLate' }],
  [{ buyerIce: '001 523 467 000 017', buyerName: 'A' }, {}],
  [{ buyerIce: '001 523 467 000 017' }, { buyerName: 'buyerName' }],
  [{ buyerIce: '1', buyerName: 'A' }, { buyerIce: 'ice' }],
  [{ invoiceNumber: ' ' }, { invoiceNumber: 'required' }],
])('a draft with %j: %j', (changed, expected) => {
  expect(findErrors(typedDraft(changed))).toEqual(expected)
})

const crediting = { type: 'CREDIT_NOTE', correctionReason: 'x', buyerIce: '001523467000017' }
const reference = { key: 'r', id: null, invoiceNumber: 'F-1', invoiceDate: '2026-01-31' }

test.each([
  ['an invoice with an id, whose buyer it takes', { id: 'F' }, {}],
  ['a number only', {}, { buyerName: 'buyerName' }],
  [
    'nothing',
    { invoiceNumber: '' },
    { buyerName: 'buyerName', 'precedingInvoices.0.invoiceNumber': 'required' },
  ],
])('a credit note with an ICE and no name that refers to %s', (_, changed, expected) => {
  const precedingInvoices = [{ ...reference, ...changed }]
  expect(findErrors(typedDraft({ ...crediting, precedingInvoices }))).toEqual(expected)
})

test.each([
  ['1.5', 'en', undefined],
  ['1,5', 'en', 'decimal'],
  ['1,5', 'fr', undefined],
  ['1 000', 'fr', undefined],
  ['', 'en', 'required'],
  ['0', 'en', 'positive'],
  ['-1', 'en', 'decimal'],
  ['1e3', 'en', 'decimal'],
  ['.5', 'en', 'decimal'],
  ['123456789012', 'en', undefined],
  ['1234567890123', 'en', 'digits'],
  ['0.00000000001', 'en', 'digits'],
  ['0.0000000001', 'en', undefined],
  ['123456.1234567891', 'en', 'digits'],
])('a quantity written as %j in %s: %j', (quantity, language, expected) => {
  expect(findErrors(typedDraft({}, { quantity }), language)['lines.0.quantity']).toBe(expected)
})

test('totals are previewed to the minor unit, lines that cannot be read yet left out', () => {
  const [line] = typedDraft({}, { quantity: '3', unitPrice: '0.125' }).lines
  const typed = typedDraft({ currency: 'TND' }, line)
  expect(preview.previewTotals(typed, 'en')).toMatchObject({ amountHt: 375n, amountTtc: 450n })
  const lines = [line, { ...line, vatRate: '7' }, { ...line, quantity: 'three' }]
  expect(preview.previewTotals({ ...typed, currency: 'MAD', lines }, 'en')).toMatchObject({
    amountHt: 76n,
    amountVat: 11n,
    subtotals: [
      { vatRate: 20, taxable: 38n, vat: 8n },
      { vatRate: 7, taxable: 38n, vat: 3n },
    ],
  })
})

const adjustment = {
  key: 'a',
  unit: 'percent',
  value: '10',
  rate: '',
  reason: 'Remise',
  reasonCode: null,
}

test('totals are previewed with allowances, charges and what is prepaid, as the service computes', () => {
  const typed = typedDraft(
    {
      allowances: [adjustment],
      charges: [{ ...adjustment, unit: 'amount', value: '5', rate: '20' }],
      prepaidAmount: '50',
      stampDuty: true,
      vatWithholdingPercent: '75',
    },
    {
      quantity: '2',
      unitPrice: '60',
      allowances: [{ ...adjustment, unit: 'amount', value: '20' }],
    },
  )
  expect(preview.previewTotals(typed, 'en')).toMatchObject({
    lineTotal: 100_00n,
    allowanceTotal: 10_00n,
    chargeTotal: 5_00n,
    amountHt: 95_00n,
    amountVat: 19_00n,
    amountTtc: 114_00n,
    amountDue: 64_00n,
    stampDutyAmount: 16n,
    vatWithheldAmount: 14_25n,
  })
  const item = { reason: 'Remise', reasonCode: null }
  const free = { vatRate: null, vatCategory: null }
  expect(draft.toContent(typed, 'en')).toMatchObject({
    allowances: [{ ...item, ...free, percent: 10, amount: null }],
    charges: [{ ...item, percent: null, amount: 5, vatRate: 20, vatCategory: null }],
    lines: [{ allowances: [{ ...item, percent: null, amount: 20 }], charges: null }],
    prepaidAmount: 50,
    stampDuty: true,
    vatWithholdingPercent: 75,
  })
  expect(findErrors(typed)).toEqual({ stampDuty: 'stampDuty' })
  const credit = { ...typed, type: 'CREDIT_NOTE' as const }
  expect(draft.toContent(credit, 'en')).toMatchObject({ stampDuty: null })
  expect(findErrors(credit)).not.toHaveProperty('stampDuty')
  expect(findErrors(typedDraft({ prepaidAmount: 'fifty' }))).toEqual({ prepaidAmount: 'decimal' })
  const wrong = { ...adjustment, reason: ' ', value: 'x' }
  expect(findErrors(typedDraft({ allowances: [wrong] }, { charges: [wrong] }))).toEqual({
    'allowances.0.reason': 'required',
    'allowances.0.percent': 'decimal',
    'lines.0.charges.0.reason': 'required',
    'lines.0.charges.0.percent': 'decimal',
  })
})

test.each([
  [null, 'AE', null, 'AE'],
  [null, 'S', null, 'S'],
  [0, 'AE', 0, 'AE'],
  [0, null, 0, null],
  // No other category has this rate.
  [20, 'S', 20, null],
  [null, null, null, null],
])('an allowance for VAT rate %j, category %j stays so', (rate, category, vatRate, vatCategory) => {
  const item = { amount: 5, percent: null, reason: 'Remise', reasonCode: null }
  const stored = [{ ...item, vatRate: rate, vatCategory: category }]
  const typed = adjustments.toTypedAdjustments(stored, 'fr')
  expect(adjustments.toAdjustments(typed, 'fr')).toEqual([{ ...item, vatRate, vatCategory }])
})

test('an allowance for a VAT category alone is subtracted in that category', () => {
  const allowances = [{ ...adjustment, unit: 'amount', value: '10', rate: ' AE' }]
  const [line] = typedDraft({}, { unitPrice: '100', vatRate: '0', vatCategory: 'AE' }).lines
  const lines = [line, { ...line, vatCategory: 'E' }]
  expect(preview.previewTotals({ ...typedDraft({ allowances }), lines }, 'en')).toMatchObject({
    allowanceTotal: 10_00n,
    subtotals: expect.arrayContaining([
      expect.objectContaining({ vatCategory: 'AE', taxable: 90_00n }),
      expect.objectContaining({ vatCategory: 'E', taxable: 100_00n }),
    ]),
  })
})

/** What is left of 9000 at 20 %; nothing of 120.50 at 14 % is credited. */
const held = (creditableAmount: number, changed: object = {}) => ({
  type: 'INVOICE',
  currency: 'MAD',
  status: 'ACCEPTED',
  vatBreakdown: [
    { vatCategory: 'S', vatRate: 20, taxableAmount: 9000, creditableAmount },
    { vatCategory: 'S', vatRate: 14, taxableAmount: 120.5, creditableAmount: 120.5 },
  ],
  ...changed,
})
const standard = { vatCategory: 'S', vatRate: 20 }

test('what is left to credit counts what the service says of the originals, and what is typed', () => {
  const typed = [{ ...standard, taxable: 8000_00n }]
  expect(remainder.computeRemainders([held(7500)], typed)).toMatchObject([
    { vatRate: 20, invoiced: 9000_00n, credited: 1500_00n, draft: 8000_00n, left: -500_00n },
    { vatRate: 14, invoiced: 120_50n, credited: 0n, draft: 0n, left: 120_50n },
  ])
})

test('a credit note over two invoices takes from each only its part', () => {
  const original = (creditableAmount: number, changed: object = {}) =>
    held(0, { vatBreakdown: [{ ...standard, taxableAmount: 1000, creditableAmount }], ...changed })
  const row = (invoiced: bigint, credited: bigint, left: bigint) => [
    { ...standard, invoiced, credited, draft: 0n, left },
  ]
  const find = (...originals: object[]) => remainder.computeRemainders(originals, [])
  // After a note of 1500 over both.
  expect(find(original(500))).toEqual(row(1000_00n, 500_00n, 500_00n))
  expect(find(original(0), original(500))).toEqual(row(2000_00n, 1500_00n, 500_00n))
  // Nothing can be credited of it, but nothing was.
  const rejected = original(0, { status: 'REJECTED' })
  expect(find(rejected, original(500))).toEqual(row(1000_00n, 500_00n, 500_00n))
  expect(find(rejected)).toEqual([])
})

test('the sum of a page leaves out what was cancelled, rejected or never sent', () => {
  const listed = (amountTtc: number, changed: object = {}) => ({
    ...{ type: 'INVOICE', status: 'ACCEPTED', dgiErrorCode: null, currency: 'MAD', amountTtc },
    ...changed,
  })
  const note = { type: 'CREDIT_NOTE', status: 'FAILED' }
  const sums = pageSums.sumByCurrency([
    listed(1200),
    listed(100, { status: 'PENDING' }),
    listed(50, { status: 'CANCELLED' }),
    listed(60, { status: 'REJECTED' }),
    listed(1200, { ...note, dgiErrorCode: 'PRECEDING_INVOICE_REJECTED' }),
    listed(300, { ...note, dgiErrorCode: 'GAVE_UP' }),
    listed(7, { currency: 'EUR' }),
  ])
  expect([...sums]).toEqual([
    ['MAD', 1000],
    ['EUR', 7],
  ])
})

test.each([
  [null, null, true],
  [null, '2026-11-21T12:00:00.001Z', true],
  [null, '2026-11-21T12:00:00.000Z', false],
  ['2026-11-20T12:00:00.000Z', null, false],
])('an API key revoked at %j that expires at %j is active: %j', (revokedAt, expiresAt, active) => {
  const now = new Date('2026-11-21T12:00:00.000Z')
  expect(keyStates.isActive({ revokedAt, expiresAt }, now)).toBe(active)
})
