// The dashboard is of another compiler's configuration: loaded as it is, without its types.
const draft = jest.requireActual('../../dashboard/src/invoices/draft')
const adjustments = jest.requireActual('../../dashboard/src/invoices/typed-adjustments')
const differences = jest.requireActual('../../dashboard/src/invoices/draft-differences')
const { en } = jest.requireActual('../../dashboard/src/i18n/en')
const { fr } = jest.requireActual('../../dashboard/src/i18n/fr')

const typed = draft.createDraftForm(new Date('2026-11-21T12:00:00Z'))
const exempt = draft.createLine({ vatRate: '0' })

const withLine = (fields: object) => ({ ...typed, lines: [{ ...exempt, ...fields }] })
const find = (mine: object, theirs: object, texts = en) =>
  differences.findDifferences(mine, theirs, texts)

const item = adjustments.createAdjustment({ reason: 'Remise', value: '10', rate: '20' })
const reference = draft.createReference({ invoiceNumber: 'F-1', invoiceDate: '2026-01-31' })

/** Another value, valid or not, of each kind of field. */
const others: Record<string, unknown> = {
  type: 'CREDIT_NOTE',
  paymentMethod: 'CASH',
  buyerType: 'CONSUMER',
  stampDuty: true,
  precedingInvoices: [reference],
  allowances: [item],
  charges: [item],
  vatRate: '20',
  vatCategory: 'AE',
}
const change = (name: string) => ({ [name]: others[name] ?? 'other' })
const { lines: _, ...fields } = typed
const { key: __, ...lineFields } = exempt

describe.each([
  ['English', en],
  ['French', fr],
])('in %s', (_language, texts) => {
  test('every field that alone was changed has a row, and a label of its own', () => {
    const labels = Object.keys(fields).map((name) => {
      const [row, ...more] = find(typed, { ...typed, ...change(name) }, texts)
      expect([name, more]).toEqual([name, []])
      expect([name, row?.mine === row?.theirs]).toEqual([name, false])
      return row.field
    })
    expect(labels.filter((label) => !/^\S.*\S$|^ICE$/.test(label))).toEqual([])
    expect(new Set(labels).size).toBe(Object.keys(fields).length)
  })

  test('so has every field of a line', () => {
    const labels = Object.keys(lineFields).map((name) => {
      const [row, ...more] = find(withLine({}), withLine(change(name)), texts)
      // Another rate than zero has no category to choose.
      expect([name, more.length]).toEqual([name, name === 'vatRate' ? 1 : 0])
      expect(row.field.startsWith(`${texts.draft.line(1)}, `)).toBe(true)
      return row.field
    })
    expect(labels.filter((label) => label.includes('undefined'))).toEqual([])
    expect(new Set(labels).size).toBe(Object.keys(lineFields).length)
  })
})

test.each<[object, object]>([
  [
    { 'paymentAccount.iban': 'MA64' },
    { field: 'Bank account, IBAN (instead of the RIB)', mine: '', theirs: 'MA64' },
  ],
  [
    { 'servicePeriod.to': '2026-01-31' },
    { field: 'Service period, to', mine: '', theirs: '2026-01-31' },
  ],
  [{ stampDuty: true }, { field: 'Stamp duty of 0.25% (cash payment)', mine: 'No', theirs: 'Yes' }],
  [
    { precedingInvoices: [reference, { ...reference, invoiceNumber: 'F-2', invoiceDate: '' }] },
    { field: 'Referenced invoices', mine: '', theirs: 'F-1 (2026-01-31), F-2' },
  ],
  [
    { vatWithholdingPercent: '75' },
    { field: 'VAT withheld at source', mine: 'None', theirs: '75 %' },
  ],
  [{ buyerType: 'BUSINESS' }, { field: 'Type of buyer', mine: '', theirs: 'Business' }],
])('%j is shown as the form shows it', (changed, row) => {
  expect(find(typed, { ...typed, ...changed })).toEqual([row])
})

test.each([
  [{ rate: '0 AE' }, 'Remise 10 % (VAT rate 0 %, Reverse charge (AE))'],
  [{ rate: ' AE' }, 'Remise 10 % (Reverse charge (AE))'],
  [{ unit: 'amount' }, 'Remise 10 (VAT rate 20 %)'],
  [{ rate: '', reasonCode: '95' }, 'Remise 10 % (95)'],
  [{ reason: 'Rabais' }, 'Rabais 10 % (VAT rate 20 %)'],
])('an allowance that differs only by %j', (changed, theirs) => {
  const rows = find(
    { ...typed, allowances: [item] },
    { ...typed, allowances: [{ ...item, ...changed }] },
  )
  expect(rows).toEqual([{ field: 'Allowances', mine: 'Remise 10 % (VAT rate 20 %)', theirs }])
})

test('a line that only one has is shown by its fields', () => {
  const [line] = withLine({ description: 'Conseil', unitPrice: '5' }).lines
  const rows = find({ ...typed, lines: [line, line] }, { ...typed, lines: [line] })
  expect(rows).toEqual(
    [
      ['Description', 'Conseil'],
      ['Quantity', '1'],
      ['Unit price excl. VAT', '5'],
      ['VAT rate', '0'],
      ['VAT treatment', 'Exempt (E)'],
    ].map(([label, mine]) => ({ field: `Line 2, ${label}`, mine, theirs: '' })),
  )
})

test('what is sent alike is no difference', () => {
  expect(find(withLine({ note: ' x ' }), withLine({ note: 'x' }))).toEqual([])
  expect(find(withLine({}), withLine({ vatCategory: 'E' }))).toEqual([])
  const standard = { vatRate: '20', vatExemptionReason: 'Export' }
  expect(find(withLine(standard), withLine({ vatRate: '20' }))).toEqual([])
  expect(find(typed, { ...typed, lines: [draft.createLine()] })).toEqual([])
})
