import { unavailable } from '@einvoicing/domain/api-error'
import type { OverviewRequest } from '@einvoicing/proto/invoices'
import type { Gateway } from '../service'
import { fetchFrom, openForTest } from '../testdata/open-gateway'
import { smallInvoices } from '../testdata/small-services'

const now = new Date('2026-02-16T23:30:00.000Z')

describe('the overview', () => {
  let gateway: Gateway
  let Cookie: string
  let isUnavailable = false
  const requests: OverviewRequest[] = []
  beforeAll(async () => {
    const small = smallInvoices()
    const readOverview: typeof small.readOverview = async (request, call) => {
      requests.push(request)
      if (isUnavailable) throw unavailable('The invoice list')
      return {
        ...(await small.readOverview(request, call)),
        certificateNotAfter: '2026-02-18T23:29:59.999Z',
      }
    }
    gateway = await openForTest({}, { invoices: { ...small, readOverview }, now: () => now })
    const { headers } = await fetchFrom(gateway, '/dashboard/api/session', {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', 'X-Requested-With': 'dashboard' },
      body: JSON.stringify({ email: 'a@example.com', password: 'right password' }),
    })
    Cookie = headers.get('set-cookie')?.split(';')[0] ?? ''
  })
  afterAll(() => gateway.close())
  const read = (query = '') =>
    fetchFrom(gateway, `/dashboard/api/overview${query}`, { headers: { Cookie } })

  it('is requested by the days of Casablanca, and presented in units of each currency', async () => {
    const { body } = await read('?days=3')
    expect(requests.at(-1)).toEqual({
      dayStarts: [
        ...['2026-02-13T23:00:00.000Z', '2026-02-14T23:00:00.000Z', '2026-02-16T00:00:00.000Z'],
      ],
    })
    const amountTtc = { JPY: 386, MAD: 123.45, TND: 12.345 }
    expect(body.data).toEqual({
      statuses: {
        PENDING: 0,
        SIGNED: 0,
        TRANSMITTED: 0,
        ACCEPTED: 0,
        REJECTED: 0,
        FAILED: 0,
        CANCELLED: 0,
      },
      days: ['2026-02-14', '2026-02-15', '2026-02-16'].map((date) => {
        return { date, invoices: 1, creditNotes: 2, amountTtc }
      }),
      clearance: { count: 2, medianMs: 812.5, p95Ms: 1_000 },
      rejections: [{ errorCode: 'BUYER_UNKNOWN', count: 1 }],
      certificate: { notAfter: '2026-02-18T23:29:59.999Z', daysLeft: 1 },
      currencies: ['JPY', 'MAD', 'TND'],
    })
  })

  it.each([
    ['', 30],
    ['?days=1', 1],
    ['?days=90', 90],
  ])('of %s has its days', async (query, count) => {
    const { body } = await read(query)
    const { days } = body.data as { days: { date: string }[] }
    expect([days.length, days.at(-1)?.date]).toEqual([count, '2026-02-16'])
  })

  it.each([
    ['?days=0', 'days', 'must be a whole number from 1 to 90; got "0"'],
    ['?days=91', 'days', 'must be a whole number from 1 to 90; got "91"'],
    ['?days=1.5', 'days', 'must be a whole number from 1 to 90; got "1.5"'],
    ['?day=1', 'day', 'is not a known parameter; did you mean days?'],
  ])('rejects %s', async (query, field, message) => {
    const { status, body } = await read(query)
    expect([status, body.code, body.errors]).toEqual([
      400,
      'VALIDATION_ERROR',
      [{ field, message }],
    ])
  })

  it('is reported as unavailable', async () => {
    isUnavailable = true
    const { status, body } = await read()
    expect([status, body.code]).toEqual([503, 'SERVICE_UNAVAILABLE'])
  })
})
