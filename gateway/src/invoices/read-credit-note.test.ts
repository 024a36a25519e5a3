import type { ApiError } from '@einvoicing/domain/api-error'
import { limits } from '@einvoicing/domain/limits'
import { readNewInvoice } from './read-body'

const simpleInvoice = {
  invoiceNumber: 'AV-1',
  invoiceDate: '2026-01-31',
  currency: 'MAD',
  paymentMethod: 'CASH',
  lines: [{ lineNumber: 1, description: 'a', quantity: 1, unitPrice: 1, vatRate: 16 }],
}

const read = (changes: object) => readNewInvoice(JSON.stringify({ ...simpleInvoice, ...changes }))

function creating(changes: object) {
  try {
    read(changes)
    return []
  } catch (error) {
    return (error as ApiError).fieldErrors ?? []
  }
}

describe('a credit note', () => {
  const creditNote = {
    type: 'CREDIT_NOTE',
    precedingInvoices: [{ invoiceNumber: 'e\u0301' }],
    correctionReason: 'Retour',
  }

  it('becomes a request to the invoices service, which knows its original', () => {
    const { content } = readNewInvoice(JSON.stringify({ ...simpleInvoice, ...creditNote }))
    expect(content).toMatchObject({ ...creditNote, precedingInvoices: { items: [{}] } })
    expect(content.precedingInvoices?.items).toEqual([{ invoiceNumber: '\u00e9' }])
    const lines = [{ ...simpleInvoice.lines[0], vatRate: 20 }]
    const { content: plain } = readNewInvoice(
      JSON.stringify({ ...simpleInvoice, lines, type: 'INVOICE' }),
    )
    expect(plain).not.toHaveProperty('type')
  })

  it('refers to an id in lower case, as issued', () => {
    const id = '6E7F4D1C-0000-4000-8000-00000000000A'
    const { content } = read({ ...creditNote, precedingInvoices: [{ id }] })
    expect(content.precedingInvoices?.items).toEqual([{ id: id.toLowerCase() }])
    expect(creating({ ...creditNote, precedingInvoices: [{ id: `${id} ` }] })).toEqual([
      {
        field: 'precedingInvoices[0].id',
        message: `must be the id of an invoice; got "${id} "`,
      },
    ])
  })

  it('has errors by their paths', () => {
    const fields = (changes: object) =>
      creating({ ...creditNote, ...changes }).map(({ field }) => field)
    expect(fields({ precedingInvoices: null, correctionReason: ' ' })).toEqual([
      'precedingInvoices',
      'correctionReason',
    ])
    expect(fields({ precedingInvoices: [{ id: 'x' }, {}], type: 'DEBIT_NOTE' })).toEqual([
      'type',
      'precedingInvoices[0].id',
      'precedingInvoices[1]',
      'correctionReason',
      'lines[0].vatRate',
    ])
    const many = (length: number) =>
      Array.from({ length }, (_, at) => ({ invoiceNumber: `F-${at}` }))
    expect(fields({ precedingInvoices: many(limits.precedingInvoiceCount) })).toEqual([])
    expect(fields({ precedingInvoices: many(limits.precedingInvoiceCount + 1) })).toEqual([
      'precedingInvoices',
    ])
    const reason = (length: number) => ({ correctionReason: 'x'.repeat(length) })
    expect(fields(reason(limits.correctionReasonLength))).toEqual([])
    expect(fields(reason(limits.correctionReasonLength + 1))).toEqual(['correctionReason'])
  })
})
