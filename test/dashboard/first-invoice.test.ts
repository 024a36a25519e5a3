/** The start page ends with an accepted invoice, also when an earlier one was rejected. */

const mockCall = jest.fn()
jest.mock('../../dashboard/src/api/connection', () => ({ call: mockCall }))
// It gives back the query that it is called with.
jest.mock('@tanstack/react-query', () => ({ useQuery: (query: object) => query }))

const { useFirstInvoice } = jest.requireActual('../../dashboard/src/api/invoices')

const rejected = { status: 'REJECTED', createdAt: '2026-11-01' }
const accepted = { status: 'ACCEPTED', createdAt: '2026-11-02' }
const cancelled = { status: 'CANCELLED', createdAt: '2026-11-03' }

type Listed = typeof rejected
interface Sent {
  query: { status?: string; sort: string; size: number }
}

const findFirst = (stored: readonly Listed[]) => {
  mockCall.mockImplementation(async (_method, _path, { query: { status, sort, size } }: Sent) => {
    const found = stored.filter((each) => status === undefined || each.status === status)
    return { content: (sort === 'createdAt,desc' ? found.toReversed() : found).slice(0, size) }
  })
  return useFirstInvoice().queryFn({ signal: new AbortController().signal })
}

test.each([
  [[rejected, accepted, cancelled], accepted],
  [[accepted, rejected], accepted],
  [[rejected, cancelled], cancelled],
  [[], null],
])('of %j it is %j', async (stored, first) => {
  expect(await findFirst(stored)).toEqual(first)
})
