import { aLine } from '../stack/invoices'
import { onEveryStack } from '../stack/on-every-stack'
import { newOrganization, signUp, type Organization } from '../stack/organization'

onEveryStack('the overview', (stack) => {
  let organization: Organization
  const created = (unitPrice: number, more: object = {}) =>
    organization.invoices.created({
      lines: [aLine({ quantity: 1, unitPrice, vatRate: 0 })],
      ...more,
    })
  beforeAll(async () => {
    organization = await newOrganization(stack())
    const made = [
      await created(100.25),
      await created(0.5),
      await created(386, { currency: 'JPY' }),
      await created(1.234, { currency: 'TND' }),
      await created(7, { buyerIce: '000000000000101' }),
    ]
    await created(1_000, { draft: true })
    const cancelled = await created(1_000, { draft: true })
    await organization.invoices.cancel(cancelled.id)
    await Promise.all(made.map(({ id }) => organization.invoices.decided(id)))
  }, 120_000)

  test('counts and sums the invoices of today and their decisions', async () => {
    const { status, data } = await organization.session.call('GET', '/overview?days=2')
    expect(status).toBe(200)
    expect(data.statuses).toEqual({
      PENDING: 1,
      SIGNED: 0,
      TRANSMITTED: 0,
      ACCEPTED: 4,
      REJECTED: 1,
      FAILED: 0,
      CANCELLED: 1,
    })
    expect(data.days).toHaveLength(2)
    // Midnight may have passed in between.
    const days = data.days as { invoices: number; amountTtc: Record<string, number> }[]
    const sum = (currency: string) =>
      days.reduce((all, { amountTtc }) => all + (amountTtc[currency] ?? 0), 0)
    expect([sum('MAD'), sum('JPY'), sum('TND')]).toEqual([107.75, 386, 1.234])
    expect(days.reduce((all, { invoices }) => all + invoices, 0)).toBe(7)
    expect(data.currencies).toEqual(['JPY', 'MAD', 'TND'])
    const { count, medianMs, p95Ms } = data.clearance
    expect([count, 0 < medianMs, medianMs <= p95Ms, p95Ms < 120_000]).toEqual([
      ...[5, true, true, true],
    ])
    const [rejection] = data.rejections
    expect(data.rejections).toEqual([{ errorCode: expect.stringMatching(/^[A-Z_]+$/), count: 1 }])
    const { content } = (await organization.invoices.list({ status: 'REJECTED' })).data
    expect(content[0].dgiErrorCode).toBe(rejection.errorCode)
    expect(Date.parse(data.certificate.notAfter)).toBeGreaterThan(Date.now())
    expect(data.certificate.daysLeft).toBe(
      Math.floor((Date.parse(data.certificate.notAfter) - Date.now()) / 86_400_000),
    )
  })

  test('has every day of its span, and nothing of another organization', async () => {
    const session = await signUp(stack())
    const { data } = await session.call('GET', '/overview')
    expect(data.days).toHaveLength(30)
    const dates = data.days.map(({ date }: any) => date)
    expect(dates).toEqual([...new Set(dates)].sort())
    expect(data.days.every(({ invoices }: any) => invoices === 0)).toBe(true)
    expect(data.clearance).toEqual({ count: 0, medianMs: null, p95Ms: null })
    expect([data.rejections, data.currencies]).toEqual([[], []])
    expect(Object.values(data.statuses)).toEqual(Array(7).fill(0))
  })

  test('spans at most ninety days', async () => {
    const of = async (days: string) => {
      const { status, errors } = await organization.session.call('GET', `/overview?days=${days}`)
      return [status, errors?.map(({ field }) => field)]
    }
    expect(await of('90')).toEqual([200, undefined])
    expect(await of('1')).toEqual([200, undefined])
    for (const days of ['0', '91', 'x']) expect(await of(days)).toEqual([400, ['days']])
  })
})
