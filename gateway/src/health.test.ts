import { ask, openForTest } from './testdata/open-gateway'

it('is live without asking anyone', async () => {
  const gateway = await openForTest(
    {},
    { checks: { store: () => Promise.reject(new Error('away')) } },
  )
  expect((await ask(gateway, '/livez')).body).toEqual({
    code: 'OK',
    message: 'OK',
    data: { status: 'live' },
    errors: null,
  })
  await gateway.close()
})

it('is ready when all it needs is there, and names what is away', async () => {
  let away = false
  const gateway = await openForTest(
    {},
    {
      checks: {
        signer: () => Promise.resolve(),
        invoices: () => (away ? Promise.reject(new Error('password in here')) : Promise.resolve()),
      },
    },
  )
  const ready = await ask(gateway, '/readyz')
  expect(ready.body.data).toEqual({
    status: 'ready',
    dependencies: { signer: 'ok', invoices: 'ok' },
  })
  away = true
  const { status, headers, body } = await ask(gateway, '/readyz')
  expect([status, headers.get('retry-after')]).toEqual([503, '5'])
  expect(body).toEqual({
    code: 'SERVICE_UNAVAILABLE',
    message: 'Not ready: invoices is not available.',
    data: null,
    errors: [{ field: 'invoices', message: 'is not available' }],
  })
  await gateway.close()
})

it('does not wait for a dependency that never answers', async () => {
  const gateway = await openForTest({}, { checks: { bus: () => new Promise(() => undefined) } })
  const [one, other] = await Promise.all([ask(gateway, '/readyz'), ask(gateway, '/readyz')])
  expect([one.status, other.status]).toEqual([503, 503])
  await gateway.close()
})

it('measures requests by route, never by path', async () => {
  const gateway = await openForTest()
  await ask(gateway, '/v1/invoices/some-path/pdf')
  const text = await (await fetch(`${gateway.url}/metrics`)).text()
  expect(text).toContain(
    'http_request_duration_seconds_count{method="GET",route="/v1/invoices/:id/pdf",status="4xx"} 1',
  )
  expect(text).not.toContain('some-path')
  await gateway.close()
})
