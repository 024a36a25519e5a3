import { readAuditQuery } from './audit-query'

it('finds an invoice by its id in lower case, as issued', () => {
  const id = '6E7F4D1C-0000-4000-8000-00000000000A'
  expect(readAuditQuery(`/?invoiceId=${id}`)).toMatchObject({ invoiceId: id.toLowerCase() })
  expect(() => readAuditQuery(`/?invoiceId=${id}0`)).toThrow('invoiceId')
})
