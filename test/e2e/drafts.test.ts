import { aLine, anInvoice, Invoices, newNumber } from '../stack/invoices'
import { onEveryStack } from '../stack/on-every-stack'
import {
  completeMentions,
  createKey,
  newOrganization,
  signUp,
  type Organization,
} from '../stack/organization'

onEveryStack('drafts', (stack) => {
  let organization: Organization
  let invoices: Invoices
  beforeAll(async () => {
    organization = await newOrganization(stack())
    invoices = organization.invoices
  })

  const draft = (changes = {}) => invoices.created({ draft: true, ...changes })

  test('"draft": true stays PENDING, unsigned', async () => {
    const answer = await invoices.create(anInvoice({ draft: true }))
    expect(answer).toMatchObject({ status: 201, data: { status: 'PENDING', amountTtc: 1081.2 } })
    for (const kind of ['xml', 'pdf', 'qr']) {
      const rejected = await invoices.at(`${answer.data.id}/${kind}`, 'GET')
      expect([rejected.status, rejected.code]).toEqual([409, 'ARTEFACT_NOT_AVAILABLE'])
    }
  })

  test('"draft" is true or false', async () => {
    expect((await invoices.create({ ...anInvoice(), draft: false })).data.status).toBe('SIGNED')
    for (const value of ['true', 1, '', {}, []]) {
      const { status, errors } = await invoices.create({ ...anInvoice(), draft: value })
      expect([status, errors?.[0]?.field]).toEqual([400, 'draft'])
    }
  })

  test('PUT changes only the given fields', async () => {
    const made = await draft({ buyerName: 'Before', buyerIce: '002345678000045' })
    const { status, data } = await invoices.change(made.id, { buyerName: 'After' })
    expect(status).toBe(200)
    const { updatedAt, ...rest } = { ...made, buyerName: 'After' }
    expect(data).toMatchObject(rest)
    expect(data.updatedAt > made.updatedAt).toBe(true)
    expect((await invoices.read(made.id)).data).toEqual(data)
  })

  test('PUT replaces all lines and computes the totals again', async () => {
    const made = await draft({ lines: [aLine(), aLine({ lineNumber: 2 })] })
    const lines = [aLine({ lineNumber: 9, quantity: 1, unitPrice: 10, vatRate: 10 })]
    const { data } = await invoices.change(made.id, { lines })
    expect(data).toMatchObject({ amountHt: 10, amountVat: 1, amountTtc: 11 })
    expect(data.lines).toHaveLength(1)
  })

  test('PUT of another currency rounds to its minor unit', async () => {
    const made = await draft({ lines: [aLine({ quantity: 1, unitPrice: 10.555, vatRate: 0 })] })
    expect(made.amountHt).toBe(10.56)
    expect((await invoices.change(made.id, { currency: 'JPY' })).data.amountHt).toBe(11)
    expect((await invoices.change(made.id, { currency: 'TND' })).data.amountHt).toBe(10.555)
  })

  test('null clears optional fields only', async () => {
    const made = await draft({
      buyerName: 'A',
      buyerIce: '002345678000045',
      buyerAddress: 'B',
      dueDate: '2026-02-01',
    })
    const cleared = { buyerName: null, buyerIce: null, buyerAddress: null, dueDate: null }
    expect((await invoices.change(made.id, cleared)).data).toMatchObject(cleared)
    for (const field of ['invoiceNumber', 'invoiceDate', 'currency', 'paymentMethod', 'lines']) {
      const { status, errors } = await invoices.change(made.id, { [field]: null })
      expect([status, errors?.map((error) => error.field)]).toEqual([400, [field]])
    }
  })

  test('an empty PUT changes nothing', async () => {
    const made = await draft()
    const { status, data } = await invoices.change(made.id, {})
    expect([status, data.invoiceNumber]).toEqual([200, made.invoiceNumber])
  })

  test('PUT is validated as creation is', async () => {
    const made = await draft({ dueDate: '2026-02-10' })
    const rejected: [object, string][] = [
      [{ currency: 'x' }, 'currency'],
      [{ lines: [] }, 'lines'],
      [{ lines: [aLine({ vatRate: 3 })] }, 'lines[0].vatRate'],
      [{ invoiceNumber: 'x'.repeat(65) }, 'invoiceNumber'],
      [{ amountHt: 3 }, 'amountHt'],
      [{ status: 'ACCEPTED' }, 'status'],
      [{ dueDate: '2026-01-30' }, 'dueDate'],
      [{ dueDate: '2036-02-01' }, 'dueDate'],
      [{ invoiceDate: '1999-12-31', dueDate: null }, 'invoiceDate'],
      [{ invoiceDate: '9999-01-01', dueDate: '9999-02-01' }, 'invoiceDate'],
    ]
    for (const [body, field] of rejected) {
      const { status, code, errors } = await invoices.change(made.id, body)
      expect([status, code, errors?.map((error) => error.field)]).toEqual([
        400,
        'VALIDATION_ERROR',
        [field],
      ])
    }
    expect((await invoices.read(made.id)).data).toEqual(expect.objectContaining(made))
  })

  test('the invoice date may not be after the existing due date', async () => {
    const made = await draft({ invoiceDate: '2026-02-01', dueDate: '2026-02-10' })
    const { status, code, errors } = await invoices.change(made.id, { invoiceDate: '2026-02-11' })
    expect([status, code]).toEqual([400, 'VALIDATION_ERROR'])
    expect(['dueDate', 'invoiceDate']).toContain(errors?.[0]?.field)
  })

  test('PUT with a used number is 409', async () => {
    const [one, other] = [await draft(), await draft()]
    const { status, code } = await invoices.change(one.id, { invoiceNumber: other.invoiceNumber })
    expect([status, code]).toEqual([409, 'INVOICE_NUMBER_EXISTS'])
    const own = await invoices.change(one.id, { invoiceNumber: one.invoiceNumber })
    expect(own.status).toBe(200)
  })

  test('sign answers the whole invoice, SIGNED, and clearance begins', async () => {
    const made = await draft({ buyerName: 'Client' })
    const { status, data } = await invoices.sign(made.id)
    expect(status).toBe(200)
    const { vatBreakdown, ...unsigned } = made
    expect(data).toMatchObject({
      ...unsigned,
      status: 'SIGNED',
      updatedAt: expect.any(String),
      verificationUrl: expect.stringContaining('/v/'),
    })
    const creditable = vatBreakdown.map((part: { taxableAmount: number }) => ({
      ...part,
      creditableAmount: part.taxableAmount,
    }))
    expect(data.vatBreakdown).toEqual(creditable)
    expect((await invoices.decided(made.id)).status).toBe('ACCEPTED')
  })

  test('twenty concurrent signatures make one', async () => {
    const made = await draft()
    const answers = await Promise.all(Array.from({ length: 20 }, () => invoices.sign(made.id)))
    const codes = answers.map(({ status, code }) => `${status} ${code}`).sort()
    expect(codes).toEqual(['200 OK', ...Array<string>(19).fill('409 INVOICE_NOT_EDITABLE')])
  })

  test('after a concurrent change and signature, the signed content stays', async () => {
    for (let round = 0; round < 8; round += 1) {
      const made = await draft({ buyerName: 'Before' })
      const [changed, signed] = await Promise.all([
        invoices.change(made.id, { buyerName: 'After' }),
        invoices.sign(made.id),
      ])
      expect(signed.status).toBe(200)
      const xml = (await invoices.bytes(made.id, 'xml')).toString()
      const { data } = await invoices.read(made.id)
      expect(data.buyerName).toBe(changed.status === 200 ? 'After' : 'Before')
      expect(xml).toContain(`>${data.buyerName}<`)
    }
  })

  test('DELETE cancels and answers the whole invoice; the number stays used', async () => {
    const made = await draft()
    const { status, data } = await invoices.cancel(made.id)
    expect([status, data.status, data.invoiceNumber]).toEqual([
      200,
      'CANCELLED',
      made.invoiceNumber,
    ])
    expect((await invoices.list({ status: 'CANCELLED' })).data.totalElements).toBeGreaterThan(0)
    const again = await invoices.create(anInvoice({ invoiceNumber: made.invoiceNumber }))
    expect([again.status, again.code]).toEqual([409, 'INVOICE_NUMBER_EXISTS'])
    const xml = await invoices.at(`${made.id}/xml`, 'GET')
    expect([xml.status, xml.code]).toEqual([409, 'ARTEFACT_NOT_AVAILABLE'])
  })

  test.each(['SIGNED', 'CANCELLED', 'ACCEPTED'])('%s is locked', async (status) => {
    const made = await draft()
    if (status === 'CANCELLED') await invoices.cancel(made.id)
    else await invoices.sign(made.id)
    if (status === 'ACCEPTED') await invoices.decided(made.id)
    const locked = { status: 409, code: 'INVOICE_NOT_EDITABLE' }
    expect(await invoices.change(made.id, { buyerName: 'x' })).toMatchObject(locked)
    // 404, 409, 400: the status is checked before the body.
    expect(await invoices.change(made.id, { nonsense: 1 })).toMatchObject(locked)
    expect(await invoices.change(made.id, { currency: 'x' })).toMatchObject(locked)
    expect(await invoices.cancel(made.id)).toMatchObject(locked)
    expect(await invoices.sign(made.id)).toMatchObject(locked)
    const resubmitted = await invoices.resubmit(made.id)
    expect([resubmitted.status, resubmitted.code]).toEqual([409, 'INVOICE_NOT_RESUBMITTABLE'])
  })

  test('a draft needs no legal details, its signature does', async () => {
    const session = await signUp(stack())
    const theirs = new Invoices(stack().baseUrl, (await createKey(session)).key)
    const { status, data } = await theirs.create(anInvoice({ draft: true }))
    expect(status).toBe(201)
    const rejected = await theirs.sign(data.id)
    expect([rejected.status, rejected.code]).toEqual([409, 'MISSING_LEGAL_MENTIONS'])
    expect(rejected.errors?.map(({ field }) => field)).toContain('ice')

    const ice = String(Date.now()).padStart(15, '4')
    await session.call('PUT', '/organization', { body: { ...completeMentions, ice } })
    const signed = await theirs.sign(data.id)
    expect(signed).toMatchObject({ status: 200, data: { status: 'SIGNED', issuerIce: ice } })
  })

  test('a draft may get a new number', async () => {
    const made = await draft()
    const invoiceNumber = newNumber()
    const { data } = await invoices.change(made.id, { invoiceNumber })
    expect(data.invoiceNumber).toBe(invoiceNumber)
    const found = await invoices.list({ invoiceNumber })
    expect(found.data.content.map(({ id }) => id)).toEqual([made.id])
  })
})
