import { anInvoice, newNumber, type Invoices } from '../stack/invoices'
import { onOneStack } from '../stack/on-every-stack'
import { newOrganization } from '../stack/organization'

onOneStack('credit notes', (stack) => {
  let invoices: Invoices
  beforeAll(async () => ({ invoices } = await newOrganization(stack())))

  test('correct an invoice once, and are accepted after it', async () => {
    const original = await invoices.created()
    const note = () => ({
      ...anInvoice(),
      invoiceNumber: newNumber('AV'),
      type: 'CREDIT_NOTE',
      precedingInvoices: [{ id: original.id }],
      correctionReason: 'Retour',
    })
    const { status, data } = await invoices.create(note())
    expect([status, data.type, data.status]).toEqual([201, 'CREDIT_NOTE', 'SIGNED'])
    expect(data.precedingInvoices).toMatchObject([{ invoiceNumber: original.invoiceNumber }])
    const again = await invoices.create(note())
    expect([again.status, again.code]).toEqual([409, 'CREDIT_EXCEEDS_INVOICE'])
    expect((await invoices.decided(data.id)).status).toBe('ACCEPTED')
    const { code, errors } = await invoices.create({ ...note(), correctionReason: null })
    expect([code, errors?.map(({ field }) => field)]).toEqual([
      'VALIDATION_ERROR',
      ['correctionReason'],
    ])
  })

  test('refer to an id in upper case, as its path does', async () => {
    const original = await invoices.created()
    const id = original.id.toUpperCase()
    const kind = { type: 'CREDIT_NOTE', correctionReason: 'Retour' }
    const { status, data } = await invoices.create({
      ...{ ...anInvoice(), ...kind, precedingInvoices: [{ id }] },
    })
    expect([status, data.precedingInvoices[0].id]).toEqual([201, original.id])
    expect((await invoices.read(id)).data.id).toBe(original.id)
  })

  test('that are signed say what can be done instead of a change', async () => {
    const original = await invoices.created()
    const { data: note } = await invoices.creditNote(original.id, {
      invoiceNumber: newNumber('AV'),
      invoiceDate: original.invoiceDate,
      correctionReason: 'Retour',
    })
    const { code, message } = await invoices.change(note.id, { note: 'x' })
    expect([code, message]).toEqual([
      'INVOICE_NOT_EDITABLE',
      expect.stringMatching(/^This credit note is [A-Z]+;.*To reverse it, issue a new invoice\.$/),
    ])
  })

  test('of a whole invoice with allowances, charges and each VAT category', async () => {
    const line = (lineNumber: number, vatRate: number, fields: object = {}) => {
      return {
        lineNumber,
        description: 'a',
        quantity: 3,
        unitPrice: 99.99,
        vatRate,
        ...fields,
      }
    }
    const reason = 'Remise'
    const { status, data: invoice } = await invoices.create({
      ...anInvoice(),
      buyerCountry: 'DE',
      buyerIf: 'DE123456789',
      lines: [
        line(1, 20, { allowances: [{ percent: 10, reason }], charges: [{ amount: 1.5, reason }] }),
        line(2, 14),
        line(3, 0, { vatCategory: 'E', vatExemptionReason: 'Article 91 du CGI' }),
        line(4, 0, { vatCategory: 'G' }),
        line(5, 0, { vatCategory: 'AE' }),
      ],
      allowances: [{ percent: 2, reason }],
      charges: [{ amount: 12.34, vatRate: 14, reason }],
    })
    expect([status, invoice.status, invoice.creditedTtc]).toEqual([201, 'SIGNED', 0])
    expect((await invoices.decided(invoice.id)).status).toBe('ACCEPTED')
    const body = {
      invoiceNumber: newNumber('AV'),
      invoiceDate: invoice.invoiceDate,
      correctionReason: 'Retour',
    }
    const credited = await invoices.creditNote(invoice.id, body)
    const { data: note } = credited
    const { amountHt, amountVat, amountTtc } = invoice
    expect([credited.status, note.amountHt, note.amountVat, note.amountTtc]).toEqual([
      ...[201, amountHt, amountVat, amountTtc],
    ])
    expect((await invoices.decided(note.id)).status).toBe('ACCEPTED')
    const { data: after } = await invoices.read(invoice.id)
    expect(after).toMatchObject({
      status: 'ACCEPTED',
      creditedTtc: amountTtc,
      creditNotes: [
        { id: note.id, invoiceNumber: note.invoiceNumber, status: 'ACCEPTED', amountTtc },
      ],
      vatBreakdown: after.vatBreakdown.map(() => ({ creditableAmount: 0 })),
    })
    const { data: listed } = await invoices.list({ precedingInvoiceNumber: invoice.invoiceNumber })
    expect(listed.content.map(({ id, type }) => [id, type])).toEqual([[note.id, 'CREDIT_NOTE']])
  })

  test('of a category outside the scope of VAT, and of a deposit', async () => {
    const line = { lineNumber: 1, description: 'a', quantity: 1, unitPrice: 50, vatRate: 0 }
    const outside = { ...anInvoice(), lines: [{ ...line, vatCategory: 'O' }] }
    const deposit = { ...anInvoice(), type: 'PREPAYMENT_INVOICE' }
    for (const body of [outside, deposit]) {
      const { data } = await invoices.create(body)
      expect((await invoices.decided(data.id)).status).toBe('ACCEPTED')
    }
  })

  test('that is rejected may be issued again under another number', async () => {
    const buyer = { buyerIce: '000000000000114', buyerName: 'Rif' }
    const { data: invoice } = await invoices.create({ ...anInvoice(), ...buyer })
    const note = () => ({
      invoiceNumber: newNumber('AV'),
      invoiceDate: invoice.invoiceDate,
      correctionReason: 'Retour',
    })
    for (const body of [note(), note()]) {
      const { status, data } = await invoices.creditNote(invoice.id, body)
      expect(status).toBe(201)
      const decision = await invoices.decided(data.id)
      expect([decision.status, decision.dgiErrorCode]).toEqual(['REJECTED', 'INVALID_REFERENCE'])
    }
    expect((await invoices.read(invoice.id)).data).toMatchObject({
      creditedTtc: 0,
      creditNotes: [],
    })
  })
})
