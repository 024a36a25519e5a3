/** Rows of a spreadsheet: a price or a rate is taken as it was meant, or marked, never guessed. */

const { toPastedLines } = jest.requireActual('../../dashboard/src/invoices/paste-lines')
const draft = jest.requireActual('../../dashboard/src/invoices/draft')
const { findErrors } = jest.requireActual('../../dashboard/src/invoices/draft-errors')
const messages = { decimal: 'decimal', digits: 'digits', vatRate: 'vatRate', long: () => 'long' }

function paste(price: string, rate: string, language = 'en') {
  const [fields] = toPastedLines(`Étude\t1\t${price}\t${rate}`, 'description', language)
  const line = draft.createLine(fields)
  const typed = { ...draft.createDraftForm(new Date()), invoiceNumber: 'F-1', lines: [line] }
  return { ...line, errors: findErrors(typed, language, messages) }
}

test.each([
  ['en', '1234.50', '1234.50'],
  ['en', '1,234.50', '1234.50'],
  ['en', '1,234,567', '1234567'],
  ['en', 'MAD 1,234.50', '1234.50'],
  ['en', '12,50', '12.50'],
  ['en', '0.125', '0.125'],
  ['en', '1234.567', '1234.567'],
  ['fr', '1 234,50', '1234,50'],
  ['fr', '1.234,50 DH', '1234,50'],
  ['fr', '12.50', '12,50'],
  ['fr', '0,125', '0,125'],
])('in %s a price pasted as %j is %j', (language, pasted, price) => {
  expect(paste(pasted, '20', language)).toMatchObject({ unitPrice: price, errors: {} })
})

test.each([
  ['en', '1,500'],
  ['en', '12,500'],
  ['fr', '1.500'],
  ['en', '31.12.2025'],
  ['en', '1,234,56'],
  ['en', '50%'],
  ['en', '2.5e3'],
  ['fr', '2,5E+03'],
  ['en', '-4'],
  ['en', '1.5 k'],
])(
  'in %s a price pasted as %j, which has two meanings, stays and is marked',
  (language, pasted) => {
    expect(paste(pasted, '20', language)).toMatchObject({
      unitPrice: pasted,
      errors: { 'lines.0.unitPrice': 'decimal' },
    })
  },
)

test.each([
  ['20%', '20'],
  ['0,14', '14'],
  ['10.0 %', '10'],
  ['0', '0'],
  ['', '20'],
])('a rate pasted as %j is %j', (pasted, rate) => {
  expect(paste('100', pasted)).toMatchObject({ vatRate: rate, errors: {} })
})

test.each(['13%', '5,5%', '0.055', '0,066', 'exonéré'])(
  'a rate pasted as %j is marked',
  (pasted) => {
    expect(paste('100', pasted)).toMatchObject({
      vatRate: pasted,
      errors: { 'lines.0.vatRate': 'vatRate' },
    })
  },
)

test.each([
  ['Désignation\tQté\tPrix 2026\nÉtude\t1\t80', 1],
  ['Étude\t2 h\t-4\nPort\t1\t80', 2],
])('a first row without numbers is a heading: %j', (text, count) => {
  expect(toPastedLines(text, 'description', 'fr')).toHaveLength(count)
})

test('a third column of units is not taken for prices', () => {
  const [line] = toPastedLines('Carrelage\t3\tm2\t80', 'description', 'fr')
  expect(line).toMatchObject({ unit: 'm2', unitPrice: '80' })
})

test('the preview leaves out a line whose rate is not known', () => {
  const { previewTotals } = jest.requireActual('../../dashboard/src/invoices/preview-totals')
  const item = { unit: 'amount', value: '1', rate: '', reason: 'x' }
  const line = draft.createLine({ unitPrice: '100', vatRate: '13%', allowances: [item] })
  const other = draft.createLine({ unitPrice: '50', vatRate: '20' })
  const typed = { ...draft.createDraftForm(new Date()), lines: [line, other] }
  expect(previewTotals(typed, 'en').subtotals).toMatchObject([{ vatRate: 20, taxable: 5000n }])
})
