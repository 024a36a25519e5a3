import { type Answer } from '../stack/http'
import { aLine, anInvoice, Invoices, newNumber } from '../stack/invoices'
import { onEveryStackAndWire } from '../stack/on-every-stack'
import { createKey, newOrganization, signUp, type Organization } from '../stack/organization'

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/
const moment = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/

const listFields = ({ errors }: Answer) => (errors ?? []).map(({ field }) => field).sort()

onEveryStackAndWire('creation', (stack) => {
  let organization: Organization
  beforeAll(async () => {
    organization = await newOrganization(stack())
  })

  const create = (body: unknown) => organization.invoices.create(body)
  const expectFieldError = async (body: unknown, ...fields: string[]) => {
    const answer = await create(body)
    expect([answer.status, answer.code, listFields(answer)]).toEqual([
      400,
      'VALIDATION_ERROR',
      fields.sort(),
    ])
  }
  const expectCreated = async (body: unknown) => {
    const { status, errors } = await create(body)
    expect({ status, errors }).toEqual({ status: 201, errors: null })
  }
  const without = (field: string) => {
    const { [field as 'currency']: _, ...rest } = anInvoice()
    return rest
  }
  const withoutInLine = (field: string) => {
    const { [field as 'unit']: _, ...rest } = aLine()
    return anInvoice({ lines: [rest] })
  }

  test('answers 201 with every field of the interface, SIGNED, and its Location', async () => {
    const body = anInvoice({
      buyerIce: '002345678000045',
      buyerName: 'Société Générale des Eaux',
      buyerAddress: '5, rue de Fès, Rabat',
      dueDate: '2026-03-01',
      lines: [
        aLine({ unit: 'jour' }),
        aLine({ lineNumber: 2, quantity: 1, unitPrice: 99.99, vatRate: 7 }),
      ],
    })
    const answer = await create(body)
    expect(answer.status).toBe(201)
    expect(answer.headers.get('location')).toBe(`/v1/invoices/${answer.data.id}`)
    expect(answer.data).toEqual(
      expect.objectContaining({
        id: expect.stringMatching(uuid),
        organizationId: organization.id,
        invoiceNumber: body.invoiceNumber,
        status: 'SIGNED',
        issuerIce: expect.stringMatching(/^\d{15}$/),
        issuerName: 'Atlas & Fils <SARL>',
        buyerIce: body.buyerIce,
        buyerName: body.buyerName,
        buyerAddress: body.buyerAddress,
        currency: 'MAD',
        paymentMethod: 'BANK_TRANSFER',
        amountHt: 1000.99,
        amountVat: 187.2,
        amountTtc: 1188.19,
        invoiceDate: '2026-01-31',
        dueDate: '2026-03-01',
        dgiReference: null,
        dgiQrCode: null,
        createdAt: expect.stringMatching(moment),
        updatedAt: expect.stringMatching(moment),
      }),
    )
    expect(answer.data.lines).toEqual([
      expect.objectContaining({ ...body.lines[0], amountHt: 901 }),
      expect.objectContaining({ ...body.lines[1], amountHt: 99.99 }),
    ])
    for (const later of ['dgiQrPayload', 'dgiSubmittedAt', 'dgiValidatedAt', 'dgiErrorCode']) {
      expect(answer.data[later] ?? null).toBeNull()
    }
  })

  test('leaves omitted fields null', async () => {
    const { data } = await create(anInvoice())
    expect(data).toMatchObject({
      buyerIce: null,
      buyerName: null,
      buyerAddress: null,
      dueDate: null,
    })
  })

  test.each(['invoiceNumber', 'invoiceDate', 'currency', 'paymentMethod', 'lines'])(
    'needs %s',
    async (field) => {
      await expectFieldError(without(field), field)
      await expectFieldError({ ...anInvoice(), [field]: null }, field)
    },
  )

  test.each(['lineNumber', 'description', 'quantity', 'unitPrice', 'vatRate'])(
    'needs lines[].%s',
    (field) => expectFieldError(withoutInLine(field), `lines[0].${field}`),
  )

  test('reports all invalid fields at once, each by its path', async () => {
    const body = {
      invoiceDate: 'yesterday',
      currency: 'mad',
      paymentMethod: 'BARTER',
      buyerIce: '12',
      lines: [aLine(), aLine({ lineNumber: 2, vatRate: 19 }), { ...aLine(), quantity: 0 }],
    }
    const { status, errors } = await create(body)
    const answer = { status, fields: new Set((errors ?? []).map(({ field }) => field)) }
    expect(answer).toEqual({
      status: 400,
      fields: new Set([
        'invoiceNumber',
        'invoiceDate',
        'currency',
        'paymentMethod',
        'buyerIce',
        'lines[1].vatRate',
        'lines[2].lineNumber',
        'lines[2].quantity',
      ]),
    })
  })

  test.each([
    ['invoiceNumber', 64],
    ['buyerName', 256],
    ['buyerAddress', 512],
  ])('%s has at most %i characters', async (field, max) => {
    const text = newNumber().padEnd(max, 'x')
    await expectCreated({ ...anInvoice(), [field]: text })
    await expectFieldError({ ...anInvoice(), [field]: `${text}x` }, field)
  })

  test.each([
    ['description', 512],
    ['unit', 32],
  ])('lines[].%s has at most %i characters', async (field, max) => {
    const text = 'x'.repeat(max)
    await expectCreated(anInvoice({ lines: [aLine({ [field]: text })] }))
    await expectFieldError(
      anInvoice({ lines: [aLine({ [field]: `${text}x` })] }),
      `lines[0].${field}`,
    )
  })

  test.each([
    ['quantity', [0.0000000001, 999999999999], [0, -1, -0.001, 1e12, 0.00000000001]],
    ['unitPrice', [0, 0.0000000001], [-0.01, 1e12, 1e-11, 1e300]],
    ['vatRate', [0, 7, 10, 14, 20], [1, 5.5, 19.99, 20.01, 21, -20, 200]],
    ['lineNumber', [1, 7, 2147483647], [0, -1, 1.5, 2147483648]],
  ])('lines[].%s accepts only its values', async (field, allowed, rejected) => {
    for (const value of allowed) {
      const smallPrice = field === 'quantity' ? { unitPrice: 0.01 } : {}
      await expectCreated(anInvoice({ lines: [aLine({ ...smallPrice, [field]: value })] }))
    }
    for (const value of rejected) {
      await expectFieldError(anInvoice({ lines: [aLine({ [field]: value })] }), `lines[0].${field}`)
    }
  })

  test('a line number is unique', () =>
    expectFieldError(anInvoice({ lines: [aLine(), aLine()] }), 'lines[1].lineNumber'))

  test.each([
    ['an object', {}],
    ['a string', 'none'],
    ['empty', []],
    ['null', null],
  ])('lines that are %s are an error', (_, lines) =>
    expectFieldError({ ...anInvoice(), lines }, 'lines'),
  )

  test('a line that is no object is an error', async () => {
    for (const line of [null, 1, 'x', [], true]) {
      await expectFieldError({ ...anInvoice(), lines: [aLine(), line] }, 'lines[1]')
    }
  })

  test('accepts 2,000 lines and rejects 2,001', async () => {
    const lines = (count: number) =>
      Array.from({ length: count }, (_, index) => aLine({ lineNumber: index + 1, quantity: 1 }))
    await expectCreated(anInvoice({ lines: lines(2_000) }))
    await expectFieldError(anInvoice({ lines: lines(2_001) }), 'lines')
  })

  test.each(['invoiceDate', 'dueDate'])('%s is a day of the calendar', async (field) => {
    const later = field === 'invoiceDate' ? {} : { invoiceDate: '2020-01-01' }
    for (const date of ['2024-02-29', '2026-12-31']) {
      await expectCreated({ ...anInvoice(), ...later, [field]: date })
    }
    const rejected = [
      '2026-02-29',
      '2026-13-01',
      '2026-00-10',
      '2026-04-31',
      '2026-1-1',
      '26-01-01',
    ]
    for (const date of [
      ...rejected,
      '2026-01-01T00:00:00Z',
      ' 2026-01-01',
      '',
      20260101,
      '١٩٩٩-٠١-٠١',
    ]) {
      await expectFieldError({ ...anInvoice(), ...later, [field]: date }, field)
    }
  })

  test('payment is not due before the invoice', async () => {
    await expectCreated(anInvoice({ invoiceDate: '2026-01-31', dueDate: '2026-01-31' }))
    await expectFieldError(
      anInvoice({ invoiceDate: '2026-01-31', dueDate: '2026-01-30' }),
      'dueDate',
    )
  })

  test('an invoice is dated from 2000 to one year after today', async () => {
    const inDays = (days: number) =>
      new Date(Date.now() + days * 24 * 60 * 60_000).toISOString().slice(0, 10)
    for (const invoiceDate of ['2000-01-01', inDays(364)]) {
      await expectCreated(anInvoice({ invoiceDate }))
    }
    for (const invoiceDate of ['1999-12-31', '0001-01-01', inDays(368), '9999-12-31']) {
      await expectFieldError(anInvoice({ invoiceDate }), 'invoiceDate')
    }
  })

  test('payment is due within ten years of the invoice', async () => {
    await expectCreated(anInvoice({ invoiceDate: '2024-02-29', dueDate: '2034-02-28' }))
    await expectFieldError(
      anInvoice({ invoiceDate: '2024-02-29', dueDate: '2034-03-01' }),
      'dueDate',
    )
  })

  test('currency is a code of ISO 4217 in upper case', async () => {
    for (const currency of ['MAD', 'EUR', 'JPY', 'TND', 'XOF']) {
      await expectCreated(anInvoice({ currency, lines: [aLine({ unitPrice: 100 })] }))
    }
    for (const currency of ['mad', 'MA', 'MADD', 'ZZZ', '', '504', 504, ['MAD']]) {
      await expectFieldError({ ...anInvoice(), currency }, 'currency')
    }
  })

  test('payment method is one of five', async () => {
    for (const paymentMethod of ['BANK_TRANSFER', 'CASH', 'CHECK', 'CARD', 'OTHER']) {
      await expectCreated(anInvoice({ paymentMethod }))
    }
    for (const paymentMethod of ['cash', '', 'PAYMENT_METHOD_UNSPECIFIED', 1, '1', 'toString']) {
      await expectFieldError({ ...anInvoice(), paymentMethod }, 'paymentMethod')
    }
  })

  test('buyerIce has 15 digits, whatever its check digits', async () => {
    await expectCreated(anInvoice({ buyerIce: '999999999999999' }))
    const rejected = [
      '00234567800004',
      '0023456780000455',
      '00234567800004a',
      '',
      ' 02345678000045',
    ]
    for (const buyerIce of [...rejected, 234567800004512, '٠٠٢٣٤٥٦٧٨٠٠٠٠٤٥']) {
      await expectFieldError({ ...anInvoice(), buyerIce }, 'buyerIce')
    }
  })

  test('blank text counts as missing', async () => {
    for (const blank of ['', ' ', '\t\n', '\u00a0']) {
      await expectFieldError(anInvoice({ invoiceNumber: blank }), 'invoiceNumber')
      await expectFieldError(
        anInvoice({ lines: [aLine({ description: blank })] }),
        'lines[0].description',
      )
    }
  })

  test('text is text and a number is a number', async () => {
    for (const value of [1, true, {}, [], ['x']]) {
      await expectFieldError({ ...anInvoice(), invoiceNumber: value }, 'invoiceNumber')
      await expectFieldError({ ...anInvoice(), buyerName: value }, 'buyerName')
    }
    for (const value of ['1', true, {}, [], [1], null]) {
      const body = { ...anInvoice(), lines: [{ ...aLine(), quantity: value, unitPrice: value }] }
      await expectFieldError(body, 'lines[0].quantity', 'lines[0].unitPrice')
    }
  })

  test('unknown fields are named, totals and organization included', async () => {
    const strangers = { amountHt: 1, amountTtc: 2, organizationId: organization.id, buyerTaxId: '' }
    await expectFieldError({ ...anInvoice(), ...strangers }, ...Object.keys(strangers))
    await expectFieldError(
      { ...anInvoice(), lines: [{ ...aLine(), amountHt: 1, discount: 3 }] },
      'lines[0].amountHt',
      'lines[0].discount',
    )
    await expectFieldError(`{"__proto__":{},${JSON.stringify(anInvoice()).slice(1)}`, '__proto__')
  })

  test('a total beyond 15 significant digits is an error', async () => {
    const line = aLine({ quantity: 1, unitPrice: 999_999_999_999, vatRate: 0 })
    await expectCreated(anInvoice({ lines: [line] }))
    const { status, code } = await create(
      anInvoice({
        lines: Array.from({ length: 20 }, (_, at) => ({ ...line, lineNumber: at + 1 })),
      }),
    )
    expect([status, code]).toEqual([400, 'VALIDATION_ERROR'])
  })

  test('a body that is not a JSON object is an error of the field body', async () => {
    for (const body of ['[]', '1', 'null', '"x"', '{', '', '{"a":1}}', '\ufeff'.repeat(2)]) {
      await expectFieldError(body, 'body')
    }
  })

  test('the same number again is 409 and makes no duplicate', async () => {
    const body = anInvoice()
    const first = await create(body)
    const again = await create(body)
    expect([again.status, again.code]).toEqual([409, 'INVOICE_NUMBER_EXISTS'])
    const found = await organization.invoices.list({ invoiceNumber: body.invoiceNumber })
    expect(found.data.content.map(({ id }) => id)).toEqual([first.data.id])
  })

  test('an invalid body is reported before a used number', async () => {
    const body = anInvoice()
    await expectCreated(body)
    await expectFieldError({ ...body, currency: 'X' }, 'currency')
  })

  test('fifty concurrent creations with one number give one 201 and 49 times 409', async () => {
    const body = anInvoice()
    const answers = await Promise.all(Array.from({ length: 50 }, () => create(body)))
    const codes = answers.map(({ status, code }) => `${status} ${code}`).sort()
    expect(codes).toEqual(['201 OK', ...Array<string>(49).fill('409 INVOICE_NUMBER_EXISTS')])
    const { data } = await organization.invoices.list({ invoiceNumber: body.invoiceNumber })
    expect(data.totalElements).toBe(1)
  })

  test('incomplete legal details give 409 with the missing ones', async () => {
    const session = await signUp(stack())
    const invoices = new Invoices(stack().baseUrl, (await createKey(session)).key)
    const body = anInvoice()
    const rejected = await invoices.create(body)
    expect([rejected.status, rejected.code]).toEqual([409, 'MISSING_LEGAL_MENTIONS'])
    expect(listFields(rejected)).toEqual(['address', 'city', 'ice', 'if', 'rc', 'tp'])

    const invalid = await invoices.create({ ...body, currency: 'X' })
    expect([invalid.status, invalid.code]).toEqual([400, 'VALIDATION_ERROR'])
    expect((await invoices.list()).data.totalElements).toBe(0)
  })
})
