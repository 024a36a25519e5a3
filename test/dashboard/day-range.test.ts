/** While one date of a filter is typed, it may be before the other: the list stays. */

jest.mock('wouter', () => ({}))
const mockCall = jest.fn()
const mockToUrl = (path: string, query: object) => ({ path, query })
jest.mock('../../dashboard/src/api/connection', () => ({ call: mockCall, toUrl: mockToUrl }))
jest.mock('@tanstack/react-query', () => ({ useQuery: (query: object) => query }))

const { toQuery } = jest.requireActual('../../dashboard/src/invoices/list-filter')
const audit = jest.requireActual('../../dashboard/src/api/audit')

test.each([
  [{ from: '2026-02-01', to: '2026-01-31' }, ''],
  [{ from: '2026-02-01', to: '2026-02-01' }, '2026-02-01'],
  [{ from: '2026-02-01', to: '2026-02-28' }, '2026-02-28'],
  [{ to: '2026-02-28' }, '2026-02-28'],
])('of %j the last day is %j', (filter, last) => {
  expect(toQuery({ filter, sort: '', page: 0, size: 25 })).toMatchObject({ invoiceDateTo: last })
  audit.useAudit(filter, 0).queryFn({})
  expect(mockCall.mock.lastCall[2].query).toMatchObject({ ...filter, to: last })
  expect(audit.auditCsvAddress(filter, 'fr').query).toMatchObject({ ...filter, to: last })
})
