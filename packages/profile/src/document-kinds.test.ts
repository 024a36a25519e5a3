import { documentKinds, findDocumentKind, type DocumentKind } from './document-kinds'

const rows = Object.entries<DocumentKind>(documentKinds)

it.each(rows)('finds %s by its root element', (_, kind) => {
  const { root, namespace } = kind
  expect(findDocumentKind({ localName: root, namespaceURI: namespace })).toBe(kind)
  expect(findDocumentKind({ localName: root, namespaceURI: null })).toBeUndefined()
  expect(findDocumentKind({ localName: `${root}X`, namespaceURI: namespace })).toBeUndefined()
})

it('gives each kind a root and a type code of its own', () => {
  expect(new Set(rows.map(([, { root }]) => root)).size).toBe(rows.length)
  expect(new Set(rows.map(([, { typeCode }]) => typeCode)).size).toBe(rows.length)
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
