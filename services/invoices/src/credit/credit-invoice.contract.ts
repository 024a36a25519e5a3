/** Credit notes by their shortcut, and lists of them; a part of the tests of credit notes. */

import { randomUUID } from 'node:crypto'
import type { Invoice } from '@einvoicing/proto/invoice'
import type { CreditInvoiceRequest } from '@einvoicing/proto/invoices'
import { call, issuer } from '../testdata/neighbours'
import { line, type Credits } from './testdata/credits'

export function creditInvoiceContract({
  handlers,
  create,
  get,
  note,
  original,
  readCode,
}: Credits): void {
  const shortcut = (invoice: Invoice, fields: Partial<CreditInvoiceRequest> = {}) =>
    handlers().creditInvoice(
      {
        issuer,
        invoiceId: invoice.id,
        invoiceNumber: `AV-${randomUUID()}`,
        invoiceDate: '2026-05-03',
        correctionReason: 'Retour',
        lines: [],
        draft: false,
        ...fields,
      },
      call(),
    )

  it('copies a whole invoice with its allowances and charges, to the last minor unit', async () => {
    const one = { reason: 'Remise', shares: [] }
    const invoice = await original({
      lines: [
        { ...line('33.335'), quantity: '3', allowances: { items: [{ ...one, percent: '7.5' }] } },
        { ...line('120.50', 14), lineNumber: 2 },
      ],
      allowances: { items: [{ ...one, percent: '2' }] },
      charges: { items: [{ ...one, amount: '12.34', vatRate: 14 }] },
      prepaidAmount: '10',
      dueDate: '2026-05-03',
      stampDuty: true,
      note: 'Merci',
    })
    const credit = await shortcut(invoice)
    const { amountHt, amountVat, amountTtc, vatSubtotals, buyerName, note: text } = invoice
    expect(credit).toMatchObject({
      type: 'CREDIT_NOTE',
      status: 'SIGNED',
      correctionReason: 'Retour',
    })
    expect(credit).toMatchObject({
      amountHt,
      amountVat,
      amountTtc,
      vatSubtotals,
      buyerName,
      note: text,
    })
    const { prepaidAmount, dueDate, stampDuty } = credit
    expect({ prepaidAmount, dueDate, stampDuty }).toEqual({})
    const { credits } = await get(invoice.id)
    expect(credits?.items).toMatchObject([{ creditNoteId: credit.id, status: 'SIGNED', amountTtc }])
    expect(await readCode(shortcut(invoice))).toBe('CREDIT_EXCEEDS_INVOICE')
    await expect(
      shortcut(invoice, { lines: [{ lineNumber: 1, quantity: '1' }] }),
    ).rejects.toMatchObject({
      fieldErrors: [{ field: 'lines', message: expect.stringContaining('POST /v1/invoices') }],
    })
  })

  it('copies chosen lines, at most their quantity, and names every wrong one', async () => {
    const invoice = await original({ lines: [{ ...line('10'), quantity: '2.5' }] })
    const lines = [
      { lineNumber: 1, quantity: '2.51' },
      { lineNumber: 7, quantity: '1' },
    ]
    await expect(shortcut(invoice, { lines })).rejects.toMatchObject({
      fieldErrors: [{ field: 'lines[0].quantity' }, { field: 'lines[1].lineNumber' }],
    })
    const draft = await shortcut(invoice, {
      lines: [{ lineNumber: 1, quantity: '0.5' }],
      draft: true,
    })
    expect(draft).toMatchObject({ status: 'PENDING', amountHt: 500, paymentMethod: 'CASH' })
    const credit = await shortcut(invoice, { lines: [{ lineNumber: 1, quantity: '2.5' }] })
    expect(credit.amountHt).toBe(2_500)
    await expect(shortcut({ ...invoice, id: randomUUID() })).rejects.toMatchObject({
      code: 'INVOICE_NOT_FOUND',
    })
  })

  it('lists by type and by what a document refers to', async () => {
    const invoice = await original()
    const credit = await create(note([invoice]))
    const list = async (filter: object) => {
      const page = { page: 0, size: 100 }
      const request = { page, sortBy: 'createdAt', descending: true, ...filter }
      const { invoices, total } = await handlers().listInvoices(request, call())
      expect(invoices).toHaveLength(total)
      return invoices.map(({ id }) => id)
    }
    const precedingInvoiceNumber = invoice.invoiceNumber
    expect(await list({ precedingInvoiceNumber })).toEqual([credit.id])
    expect(await list({ precedingInvoiceNumber, type: 'PREPAYMENT_INVOICE' })).toEqual([])
    expect(await list({ type: 'CREDIT_NOTE' })).toContain(credit.id)
    expect(await list({ type: 'INVOICE' })).toContain(invoice.id)
    expect(await list({ type: 'INVOICE' })).not.toContain(credit.id)
  })
}
