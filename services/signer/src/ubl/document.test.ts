/**
 * Golden documents: `testdata/x.json` must become `testdata/x.xml`, byte for byte. `UPDATE=1`
 * rewrites them, to be read in review.
 */

import { readFileSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import {
  invoiceFieldNames,
  invoiceFields,
  type InvoiceField,
} from '@einvoicing/domain/invoice-fields'
import type { Invoice } from '@einvoicing/proto/invoice'
import { assertInvoice } from '../assert-invoice'
import { writeDocument } from './document'

const testdata = join(__dirname, '..', 'testdata')
const names = readdirSync(testdata)
  .filter((file) => file.endsWith('.json'))
  .map((file) => file.slice(0, -'.json'.length))

const readInvoice = (name: string) =>
  JSON.parse(readFileSync(join(testdata, `${name}.json`), 'utf8')) as Invoice

const write = (name: string) => toText(readInvoice(name))

function toText(invoice: Invoice): string {
  const { beforeSignature, afterSignature } = writeDocument(invoice, assertInvoice(invoice))
  return beforeSignature + afterSignature
}

it.each(names)('writes %s', (name) => {
  const written = write(name)
  const golden = join(testdata, `${name}.xml`)
  if (process.env['UPDATE']) writeFileSync(golden, written)
  expect(written).toBe(readFileSync(golden, 'utf8'))
})

const optionalFields = invoiceFieldNames.filter(
  // Whether the buyer is a business stands in no element.
  (name) => invoiceFields[name] === 'optional' && name !== 'buyerType',
)

/** What is written of a field that is no text of its own. */
const computedFields: Partial<Record<InvoiceField, keyof Invoice>> = {
  prepaidAmount: 'amountDue',
  stampDuty: 'stampDutyAmount',
  vatWithholdingPercent: 'vatWithheldAmount',
}

// Tested below: a credit note cannot be without them.
const kindNames: readonly InvoiceField[] = ['type', 'precedingInvoices', 'correctionReason']

it.each(optionalFields.filter((name) => !kindNames.includes(name)))(
  'writes %s where an invoice has it',
  (name) => {
    const invoice = names.map(readInvoice).find((golden) => golden[name] !== undefined)
    if (!invoice) throw new Error('no golden document has it')
    const without = { ...invoice, [computedFields[name] ?? name]: undefined }
    if (name !== 'allowances' && name !== 'charges') {
      expect(toText(without)).not.toBe(toText(invoice))
    } else {
      expect(() => toText(without)).toThrow('has amounts that do not add up')
      const indicator = `<cbc:ChargeIndicator>${name === 'charges'}<`
      expect(toText(invoice).split(`\n<cac:AllowanceCharge>${indicator}`)).toHaveLength(
        1 + (invoice[name]?.items.flatMap(({ shares }) => shares).length ?? 0),
      )
    }
  },
)

it('writes the names of each kind of document from its row', () => {
  const simple = readInvoice('simple')
  const preceding = { items: [{ invoiceNumber: 'F-1', invoiceDate: '2026-01-01' }] }
  const corrects = { correctionReason: 'Retour', precedingInvoices: preceding }
  const written = toText({ ...simple, ...corrects, dueDate: undefined, type: 'CREDIT_NOTE' })
  const invoice = toText({ ...simple, ...corrects, dueDate: undefined })
  expect(written.replaceAll('InvoiceDocumentReference', '')).not.toContain('Invoice')
  expect(written.replaceAll('CreditNote', 'Invoice').replaceAll('Credited', 'Invoiced')).toBe(
    invoice.replace('>380<', '>381<'),
  )
})

it('states when a credit note is due where the schema has a place for it', () => {
  const written = write('credit-note')
  expect(written).not.toContain('<cbc:DueDate>')
  expect(written).toContain('</cbc:PaymentMeansCode><cbc:PaymentDueDate>2026-07-31<')
})

it.each([{ correctionReason: undefined }, { precedingInvoices: undefined }])(
  'writes no credit note without %p',
  (fields) => {
    const invoice = { ...readInvoice('credit-note'), ...fields }
    expect(() => toText(invoice)).toThrow('does not say which invoice it corrects and why')
  },
)
