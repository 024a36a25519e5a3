import { ApiError } from '@einvoicing/domain/api-error'
import { pageRules, readQuery, toPageRequest } from '../fields/read-query'
import { readListQuery } from './read-query'

const invalidFields = (query: string): string[] => {
  try {
    readListQuery(`/?${query}`)
    return []
  } catch (thrown) {
    if (!(thrown instanceof ApiError)) throw thrown
    return thrown.fieldErrors?.map(({ field }) => field) ?? []
  }
}

it('has the defaults of the specification', () => {
  const defaults = { page: { page: 0, size: 20 }, sortBy: 'createdAt', descending: true }
  expect(readListQuery('/')).toEqual(defaults)
  expect(readListQuery('/?')).toEqual(defaults)
})

it('reads every parameter', () => {
  expect(
    readListQuery(
      '/?status=ACCEPTED&page=3&size=100&sort=amountTtc%2Casc&invoiceNumber=F%201&buyerIce=001234567000089&invoiceDateFrom=2026-01-01&invoiceDateTo=2026-01-01&search=%20Atlas+12%20',
    ),
  ).toEqual({
    status: 'ACCEPTED',
    page: { page: 3, size: 100 },
    sortBy: 'amountTtc',
    descending: false,
    invoiceNumber: 'F 1',
    buyerIce: '001234567000089',
    invoiceDateFrom: '2026-01-01',
    invoiceDateTo: '2026-01-01',
    search: 'Atlas 12',
  })
})

it.each([
  ['status=signed', ['status']],
  ['status=NORMALIZING', ['status']],
  ['status=', ['status']],
  ['page=-1', ['page']],
  ['page=1.0', ['page']],
  ['page=1e1', ['page']],
  ['page=+1', ['page']],
  ['page=99999999999999999999', ['page']],
  ['page=10000000', []],
  ['page=10000001', ['page']],
  ['size=0', ['size']],
  ['size=1', []],
  ['size=100', []],
  ['size=101', ['size']],
  ['sort=createdAt', ['sort']],
  ['sort=createdAt,DESC', ['sort']],
  ['sort=createdAt,desc,asc', ['sort']],
  ['sort=id,asc', ['sort']],
  ['sort=constructor,asc', ['sort']],
  ['buyerIce=1', ['buyerIce']],
  ['invoiceNumber=', ['invoiceNumber']],
  ['invoiceNumber=%00', ['invoiceNumber']],
  ['=x', ['query[""]']],
  ['invoiceNumber=%zz', []],
  ['invoiceDateFrom=2026-02-30', ['invoiceDateFrom']],
  ['invoiceDateFrom=2026-02-02&invoiceDateTo=2026-02-01', ['invoiceDateTo']],
  ['page=1&page=1', ['page']],
  ['search=', ['search']],
  ['search=%20', ['search']],
  [`search=${'x'.repeat(100)}`, []],
  [`search=${'x'.repeat(101)}`, ['search']],
  ['search=a&search=b', ['search']],
  ['statu=SIGNED', ['statu']],
  ['__proto__=1&constructor=1', ['__proto__', 'constructor']],
  ['organizationId=x&status=x&page=x', ['organizationId', 'status', 'page']],
])('?%s', (query, fields) => {
  expect(invalidFields(query)).toEqual(fields)
})

it('pages other lists by page and size alone', () => {
  expect(toPageRequest(readQuery('/?page=1&size=5', pageRules))).toEqual({ page: 1, size: 5 })
  expect(() => readQuery('/?sort=at,asc', pageRules)).toThrow(ApiError)
})

it.each([
  ['statu=SIGNED', 'is not a known parameter; did you mean status?'],
  ['amountTtc=1200', 'is not a known parameter'],
  ['dgiReference=1', 'is not a known parameter'],
])('says of an unknown parameter no more than that: %s', (query, message) => {
  expect(() => readListQuery(`/?${query}`)).toThrow(
    expect.objectContaining({ fieldErrors: [{ field: query.split('=')[0], message }] }),
  )
})
