import { invoiceFieldNames, invoiceFields } from '@einvoicing/domain/invoice-fields'
import fc from 'fast-check'
import { ApiError, type FieldError } from '@einvoicing/domain/api-error'
import { simpleInvoice } from '../testdata/open-gateway'
import { readInvoiceChanges, readNewInvoice } from './read-body'

const [simpleLine] = simpleInvoice.lines

function findErrors(read: () => unknown): readonly FieldError[] {
  try {
    read()
  } catch (thrown) {
    if (thrown instanceof ApiError && thrown.code === 'VALIDATION_ERROR')
      return thrown.fieldErrors ?? []
    throw thrown
  }
  return []
}

const messageOn = (errors: readonly FieldError[], field: string) =>
  errors.filter((error) => error.field === field).map(({ message }) => message)

const creating = (changes: object) =>
  findErrors(() => readNewInvoice(JSON.stringify({ ...simpleInvoice, ...changes })))
const withLine = (changes: object) => creating({ lines: [{ ...simpleLine, ...changes }] })

const plainTexts = [
  'buyerCity',
  'note',
  'buyerReference',
  'contractNumber',
  'deliveryNoteNumber',
  'deliveryAddress',
  'paymentTerms',
  'paymentReference',
]

describe('a new invoice', () => {
  it('becomes a request to the invoices service', () => {
    const optional = {
      buyerIce: '001234567000089',
      buyerName: 'B',
      buyerAddress: 'A',
      purchaseOrderNumber: 'BC-1',
      dueDate: '2026-02-28',
      servicePeriod: { from: '2026-01-01', to: '2026-01-31' },
      paymentAccount: { rib: '011519000001205000534921' },
      ...Object.fromEntries(plainTexts.map((name) => [name, `a ${name}`])),
      buyerCountry: 'FR',
      buyerIf: 'FR123',
      buyerType: 'BUSINESS',
      deliveryDate: '2026-01-15',
      deliveryCountry: 'SN',
    }
    const line = {
      ...simpleLine,
      quantity: 1.5,
      unitPrice: 1e-7,
      vatRate: 0,
      unit: 'h',
      vatExemptionReason: 'Export',
      itemCode: 'A-1',
      orderLineNumber: '10',
      note: 'fragile',
      servicePeriod: { to: '2026-01-31' },
    }
    expect(
      readNewInvoice(JSON.stringify({ ...simpleInvoice, ...optional, lines: [line] })),
    ).toEqual({
      content: {
        ...simpleInvoice,
        ...optional,
        lines: [{ ...line, quantity: '1.5', unitPrice: '0.0000001' }],
      },
      draft: false,
    })
  })

  it('has its number in NFC, created and changed', () => {
    const invoiceNumber = 'Reçu-e\u0301'.normalize('NFD')
    const whole = JSON.stringify({ ...simpleInvoice, invoiceNumber })
    expect(readNewInvoice(whole).content.invoiceNumber).toBe('Reçu-é')
    expect(readInvoiceChanges(JSON.stringify({ invoiceNumber })).content?.invoiceNumber).toBe(
      'Reçu-é',
    )
  })

  it('is a draft only with true', () => {
    const draft = (value: unknown) =>
      readNewInvoice(JSON.stringify({ ...simpleInvoice, draft: value })).draft
    expect([draft(true), draft(false), draft(null)]).toEqual([true, false, false])
    expect(messageOn(creating({ draft: 'true' }), 'draft')).toEqual([
      'must be true or false; got "true"',
    ])
  })

  it('treats null and blank text as absent', () => {
    const { content } = readNewInvoice(
      JSON.stringify({
        ...simpleInvoice,
        buyerIce: null,
        buyerName: ' ',
        buyerAddress: '',
        purchaseOrderNumber: ' ',
        dueDate: null,
      }),
    )
    expect(Object.keys(content)).toEqual(Object.keys(simpleInvoice))
  })

  it.each([
    ['invoiceNumber', 'x'.repeat(64), []],
    ['invoiceNumber', 'x'.repeat(65), ['must be at most 64 characters; got 65']],
    ['invoiceNumber', '😀'.repeat(64), []],
    ['invoiceNumber', '😀'.repeat(65), ['must be at most 64 characters; got 65']],
    ['invoiceNumber', ' \t', ['must not be blank']],
    ['invoiceNumber', '', ['must not be blank']],
    ['invoiceNumber', null, ['is required']],
    ['invoiceNumber', 12, ['must be text in quotes; got 12']],
    [
      'invoiceNumber',
      'a\u0001',
      ['must not contain the character U+0001 (at position 2), which no XML document can carry'],
    ],
    [
      'invoiceNumber',
      'a\ud800',
      ['must not contain the character U+D800 (at position 2), which no XML document can carry'],
    ],
    ['invoiceNumber', 'F 1😀', []],
    ['invoiceNumber', ' F-1', ['must not begin or end with a space']],
    ['invoiceNumber', 'F-1 ', ['must not begin or end with a space']],
    ...[
      '\t',
      '\n',
      '\u0085',
      '\u00a0',
      '\u00ad',
      '\u200b',
      '\u202e',
      '\u2028',
      '\u2060',
      '\ufeff',
    ].map((character): [string, string, unknown[]] => [
      'invoiceNumber',
      `F${character}1`,
      [expect.stringContaining('(at position 2), which is invisible')],
    ]),
    ['invoiceNumber', '\u0958'.repeat(33), ['must be at most 64 characters; got 66']],
    ['invoiceDate', '2024-02-29', []],
    ['invoiceDate', '2026-02-29', ['must be an existing date; 2026-02-29 does not exist']],
    ['invoiceDate', '0000-01-01', ['must be an existing date; 0000-01-01 does not exist']],
    [
      'invoiceDate',
      '2026-1-1',
      ['must be a date as YYYY-MM-DD, for example 2026-01-31; got "2026-1-1"'],
    ],
    [
      'invoiceDate',
      '2026-01-31T00:00:00Z',
      ['must be a date as YYYY-MM-DD, for example 2026-01-31; got "2026-01-31T00:00:00Z"'],
    ],
    ['currency', 'TND', []],
    [
      'currency',
      'mad',
      ['must be an ISO 4217 code of 3 upper-case letters, for example MAD; got "mad"'],
    ],
    [
      'currency',
      'XXX',
      ['must be an ISO 4217 code of 3 upper-case letters, for example MAD; got "XXX"'],
    ],
    ['currency', 'XCG', []],
    ['currency', 'BGN', ['must be a currency that EN 16931 allows; got BGN']],
    ['paymentMethod', 'CASH', []],
    [
      'paymentMethod',
      'cash',
      ['must be one of BANK_TRANSFER, CASH, CHECK, CARD, OTHER; got "cash"'],
    ],
    ['buyerIce', '001234567000089', []],
    [
      'buyerIce',
      '00123456700008',
      ['must be exactly 15 digits, for example 001234567000089; got 14'],
    ],
    [
      'buyerIce',
      '00123456700008x',
      ['must be exactly 15 digits, for example 001234567000089; got "00123456700008x"'],
    ],
    ['buyerIce', '', ['must be exactly 15 digits, for example 001234567000089; got ""']],
    [
      'buyerIce',
      '٠٠١٢٣٤٥٦٧٠٠٠٠٨٩',
      ['must be exactly 15 digits, for example 001234567000089; got "٠٠١٢٣٤٥٦٧٠٠٠٠٨٩"'],
    ],
    ['buyerName', 'x'.repeat(256), []],
    ['buyerName', 'x'.repeat(257), ['must be at most 256 characters; got 257']],
    ['purchaseOrderNumber', 'x'.repeat(64), []],
    ['purchaseOrderNumber', 'x'.repeat(65), ['must be at most 64 characters; got 65']],
    ['buyerAddress', 'x'.repeat(512), []],
    ['buyerAddress', 'x'.repeat(513), ['must be at most 512 characters; got 513']],
    ['dueDate', '2026-01-31', []],
    ['dueDate', '2026-01-30', ['must not be before invoiceDate (2026-01-31)']],
    ['lines', [], ['must have at least 1 line']],
    ['lines', {}, ['must be an array; got an object']],
    ['lines', '', ['must be an array; got ""']],
    ['lines', undefined, ['is required']],
    ['amountHt', 1, ['is computed by the service from the lines and cannot be sent']],
    ['organizationId', 'x', ['is never sent: the API key determines the organization']],
    ['status', 'SIGNED', ['is set by the service and cannot be sent']],
    ['dgiReference', 'x', ['is read-only: the tax authority sets it']],
    ['buyerNmae', 'x', ['is not a known field; did you mean buyerName?']],
    ['BUYERICE', 'x', ['is not a known field; did you mean buyerIce?']],
    ['constructor', 'x', ['is not a known field']],
    ['toString', 'x', ['is not a known field']],
  ])('%s: %j', (field, value, messages) => {
    expect(messageOn(creating({ [field]: value }), field)).toEqual(messages)
  })

  it.each([
    ['lineNumber', 1, []],
    ['lineNumber', 2_147_483_647, []],
    ['lineNumber', 2_147_483_648, ['must be a whole number from 1 to 2147483647; got 2147483648']],
    ['lineNumber', 0, ['must be a whole number from 1 to 2147483647; got 0']],
    ['lineNumber', 1.5, ['must be a whole number from 1 to 2147483647; got 1.5']],
    ['lineNumber', '1', ['must be a number without quotes: 1']],
    ['description', 'x'.repeat(512), []],
    ['description', 'x'.repeat(513), ['must be at most 512 characters; got 513']],
    ['description', '\n', ['must not be blank']],
    ['description', '\u200B', ['must not be blank']],
    ['quantity', '2', ['must be a number without quotes: 2']],
    ['quantity', true, ['must be a number; got true']],
    ['quantity', null, ['is required']],
    ['quantity', 0, ['must be greater than 0']],
    ['quantity', -1, ['must be greater than 0']],
    ['unitPrice', 0, []],
    ['unitPrice', -0.01, ['must be 0 or more']],
    ['unitPrice', {}, ['must be a number; got an object']],
    ['vatRate', 20, []],
    ['vatRate', 19, ['must be one of 0, 7, 10, 14, 20 (percent); got 19']],
    ['vatRate', 0.2, ['must be one of 0, 7, 10, 14, 20 (percent); got 0.2']],
    ['vatRate', '20', ['must be a number without quotes: 20']],
    ['unit', 'x'.repeat(32), []],
    ['unit', 'x'.repeat(33), ['must be at most 32 characters; got 33']],
    ['vatExemptionReason', 'x', ['is allowed only with vatRate 0']],
    ['vatExemptionReason', '', []],
    ['amountHt', 1, ['is computed by the service from the lines and cannot be sent']],
    ['unitPirce', 1, ['is not a known field; did you mean unitPrice?']],
    ['vat', 20, ['is not a known field; did you mean vatRate?']],
  ])('lines[0].%s: %j', (name, value, messages) => {
    expect(messageOn(withLine({ [name]: value }), `lines[0].${name}`)).toEqual(messages)
  })

  it('rejects __proto__ like any unknown name', () => {
    const json = JSON.stringify(simpleInvoice).replace('{', '{"__proto__": {"currency": "EUR"},')
    expect(findErrors(() => readNewInvoice(json))).toEqual([
      { field: '__proto__', message: 'is not a known field' },
    ])
  })

  it.each([
    ['{"": 1,', 'body[""]'],
    ['{" ": 1,', ' '],
    ['{"lines": [{"": 1}], "": 1,', 'body[""]'],
  ])('names a key at %s... as %j, never as nothing', (start, field) => {
    const errors = findErrors(() =>
      readNewInvoice(JSON.stringify(simpleInvoice).replace('{', start)),
    )
    expect(errors).toEqual([{ field, message: 'is not a known field' }])
  })

  it('names the empty key of a line', () => {
    expect(withLine({ '': 1 })).toEqual([
      { field: 'lines[0][""]', message: 'is not a known field' },
    ])
  })

  it('reports structural and cross-field errors together', () => {
    const lines = [
      { ...simpleLine, lineNumber: 7 },
      { ...simpleLine, lineNumber: 7, vatRate: 13 },
      'line',
      { ...simpleLine, lineNumber: 8, vatExemptionReason: 'x' },
    ]
    const errors = creating({ dueDate: '2026-01-01', currency: 1, lines })
    expect(errors.map(({ field }) => field).sort()).toEqual([
      'currency',
      'dueDate',
      'lines[1].lineNumber',
      'lines[1].vatRate',
      'lines[2]',
      'lines[3].vatExemptionReason',
    ])
  })

  it('accepts at most 2,000 lines', () => {
    const lines = (count: number) =>
      Array.from({ length: count }, (_, index) => ({ ...simpleLine, lineNumber: index + 1 }))
    expect(creating({ lines: lines(2_000) })).toEqual([])
    expect(creating({ lines: lines(2_001) })).toEqual([
      { field: 'lines', message: 'must have at most 2000 lines; got 2001' },
    ])
  })

  it('reports at most 1,000 errors', () => {
    const strangers = Object.fromEntries(
      Array.from({ length: 5_000 }, (_, index) => [`x${index}`, 1]),
    )
    expect(creating(strangers)).toHaveLength(1_000)
    expect(creating({ lines: Array.from({ length: 1_500 }, () => 1) })).toHaveLength(1_000)
  })

  it('never fails but by an error, whatever JSON comes', () => {
    const fields = [...Object.keys(simpleInvoice), 'buyerIce', 'buyerName', 'dueDate', 'draft']
    const lineFields = [...Object.keys(simpleLine ?? {}), 'unit', 'vatExemptionReason']
    const odd = fc.dictionary(fc.constantFrom(...fields, ...lineFields), fc.jsonValue())
    const body = fc.record(
      { ...Object.fromEntries(fields.map((name) => [name, fc.jsonValue()])), lines: fc.array(odd) },
      { requiredKeys: [] },
    )
    fc.assert(
      fc.property(fc.oneof(body, fc.jsonValue()), (value) => {
        findErrors(() => readNewInvoice(JSON.stringify(value)))
        findErrors(() => readInvoiceChanges(JSON.stringify(value)))
      }),
    )
  })
})

describe('changes', () => {
  const changing = (body: unknown) => readInvoiceChanges(JSON.stringify(body))

  const nothing = { lines: [], cleared: [] }
  const empty = {
    invoiceNumber: '',
    invoiceDate: '',
    currency: '',
    paymentMethod: 'PAYMENT_METHOD_UNSPECIFIED',
    lines: [],
  }

  it('hold only the fields that were sent', () => {
    expect(changing({})).toEqual({ content: empty, updateMask: [], ...nothing })
    const fields = { invoiceNumber: 'F-2', buyerName: 'B' }
    expect(changing(fields)).toEqual({
      content: { ...empty, ...fields },
      updateMask: ['invoice_number', 'buyer_name'],
      ...nothing,
      ...fields,
    })
  })

  it('clear optional fields by null', () => {
    expect(changing({ buyerIce: null, dueDate: null, buyerName: '' })).toEqual({
      content: empty,
      updateMask: ['due_date', 'buyer_ice', 'buyer_name'],
      lines: [],
      cleared: ['dueDate', 'buyerIce', 'buyerName'],
    })
  })

  it('can clear every optional field, and no other', () => {
    const [cleared, refused]: [string[], string[]] = [[], []]
    for (const name of invoiceFieldNames) {
      if (findErrors(() => cleared.push(...changing({ [name]: null }).cleared)).length > 0)
        refused.push(name)
    }
    const named = (presence: string) =>
      invoiceFieldNames.filter((name) => invoiceFields[name] === presence)
    expect({ cleared, refused }).toEqual({
      cleared: named('optional'),
      refused: named('required'),
    })
  })

  it.each([
    [{ invoiceNumber: null }, 'invoiceNumber', 'is required'],
    [{ lines: [] }, 'lines', 'must have at least 1 line'],
    [{ lines: null }, 'lines', 'is required'],
    [
      { draft: true },
      'draft',
      'is allowed only at creation: to sign a draft, send POST /v1/invoices/:id/sign',
    ],
    [
      { invoiceDate: '2026-02-01', dueDate: '2026-01-31' },
      'dueDate',
      'must not be before invoiceDate (2026-02-01)',
    ],
    [{ amountTtc: 1 }, 'amountTtc', 'is computed by the service from the lines and cannot be sent'],
  ])('%j is refused', (body, field, message) => {
    expect(findErrors(() => changing(body))).toEqual([{ field, message }])
  })
})
