import { invoiceTypes } from '@einvoicing/domain/invoice-types'
import { documentKinds, findDocumentKind, readKind, type DocumentKind } from './document-kinds'

const rows = Object.entries<DocumentKind>(documentKinds)

it.each(rows)('finds %s by its root element and type code', (_, kind) => {
  const { root, namespace, typeCode, typeCodeElement } = kind
  const readText = (element: string) => (element === typeCodeElement ? typeCode : undefined)
  const find = (localName: string, namespaceURI: string | null, read = readText) =>
    findDocumentKind({ localName, namespaceURI }, read)
  expect(find(root, namespace)).toBe(kind)
  expect(find(root, null)).toBeUndefined()
  expect(find(`${root}X`, namespace)).toBeUndefined()
  expect(find(root, namespace, () => '384')).toBeUndefined()
})

it('gives each kind a type and a type code of its own', () => {
  expect(rows.map(([, { type }]) => type).sort()).toEqual([...invoiceTypes].sort())
  expect(new Set(rows.map(([, { typeCode }]) => typeCode)).size).toBe(rows.length)
})

it('treats a document without a type as an invoice', () => {
  expect(readKind({})).toBe(documentKinds.invoice)
  expect(readKind({ type: 'CREDIT_NOTE' })).toBe(documentKinds.creditNote)
  expect(() => readKind({ type: 'DEBIT_NOTE' })).toThrow('unknown type of document: DEBIT_NOTE')
})

it('describes an invoice', () => {
  expect(documentKinds.invoice).toMatchObject({
    root: 'Invoice',
    namespace: 'urn:oasis:names:specification:ubl:schema:xsd:Invoice-2',
    typeCodeElement: 'InvoiceTypeCode',
    typeCode: '380',
    lineElement: 'InvoiceLine',
    quantityElement: 'InvoicedQuantity',
  })
})
