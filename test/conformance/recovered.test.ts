import { isBlank } from '@einvoicing/domain/xml-text'
import type { Invoice } from '@einvoicing/proto/invoice'
import { readOriginal } from '@einvoicing/invoices/recovery/read-original'
import { assertInvoice } from '@einvoicing/signer/assert-invoice'
import { writeDocument } from '@einvoicing/signer/ubl/document'
import { drawSeed, seededRandom } from '../stack/random'
import { signFamily, type SignedFamily } from './signed-family'

let family: SignedFamily
let startedAt: number

beforeAll(async () => {
  startedAt = Date.now()
  family = await signFamily(seededRandom(drawSeed('recovered')))
})

const written = (invoice: Invoice) => {
  const { beforeSignature, afterSignature } = writeDocument(invoice, assertInvoice(invoice))
  return beforeSignature + afterSignature
}

it('reads every document back into an invoice that writes it again', () => {
  expect(family.cases.length).toBeGreaterThanOrEqual(60)
  for (const { invoice, xml } of family.cases) {
    const read = readOriginal(xml)
    const { vatSubtotals } = invoice
    expect(written({ ...invoice, ...read, vatSubtotals })).toBe(written(invoice))
  }
})

it('reads the fields that clients search and pay by as they sent them', () => {
  for (const { invoice, xml } of family.cases) {
    const { invoiceNumber, invoiceDate, dueDate, currency, paymentMethod, buyerIce } = invoice
    const { purchaseOrderNumber, type, correctionReason } = invoice
    const { vatSubtotals, amountHt, amountVat, amountTtc } = invoice
    const read = readOriginal(xml)
    expect(read).toMatchObject({ invoiceNumber, invoiceDate, currency, paymentMethod })
    expect(read).toMatchObject({ amountHt, amountVat, amountTtc })
    expect([read.type, read.correctionReason]).toEqual([type, correctionReason])
    expect(read.precedingInvoices?.items).toEqual(
      invoice.precedingInvoices?.items.map(({ id: _id, ...reference }) => reference),
    )
    expect(new Set(read.vatSubtotals)).toEqual(new Set(vatSubtotals))
    expect([read.dueDate ?? '', read.buyerIce ?? '']).toEqual([dueDate ?? '', buyerIce ?? ''])
    // A blank one is none.
    expect(read.purchaseOrderNumber).toBe(
      isBlank(purchaseOrderNumber) ? undefined : purchaseOrderNumber,
    )
    expect(read.lines.map(({ description }) => description)).toEqual(
      invoice.lines.map(({ description }) => description),
    )
    expect(Date.parse(read.signedAt)).toBeGreaterThanOrEqual(startedAt - 1_000)
    expect(Date.parse(read.signedAt)).toBeLessThanOrEqual(Date.now())
  }
})

describe('rejects', () => {
  const changed = (from: string | RegExp, to: string) => {
    const { xml } = family.cases[0]!
    const other = xml.toString().replace(from, to)
    expect(other).not.toBe(xml.toString())
    return () => readOriginal(Buffer.from(other))
  }

  it('amounts that the lines do not make', () => {
    expect(changed(/(<cbc:InvoicedQuantity [^>]*>)/, '$11')).toThrow(
      'the amounts of the document do not match its lines',
    )
    expect(changed(/(<cbc:PayableAmount [^>]*>)/, '$11')).toThrow(/do not match its lines/)
  })

  it('documents that are no invoice of ours', () => {
    expect(changed('<Invoice ', '<!DOCTYPE x []><Invoice ')).toThrow('the document has a DOCTYPE')
    expect(changed('</Invoice>', '')).toThrow(/the document is not well-formed XML|unclosed/)
    expect(changed(/<cbc:ID>/, '<cbc:Id>')).toThrow()
    expect(
      changed('<cbc:IssueDate>', '<cbc:IssueDate>2026-01-01</cbc:IssueDate><cbc:IssueDate>'),
    ).toThrow('the document has more than one IssueDate')
    expect(changed(/<cbc:PaymentMeansCode>\d+/, '<cbc:PaymentMeansCode>97')).toThrow(
      'unknown payment means code in the document: 97',
    )
    const note = Buffer.from('<CreditNote><ID>1</ID></CreditNote>')
    expect(() => readOriginal(note)).toThrow(
      'unknown kind of document: its root element is CreditNote',
    )
  })
})
