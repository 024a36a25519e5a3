import { ApiError } from '@einvoicing/domain/api-error'
import type { Readiness } from '@einvoicing/proto/readiness'
import { metrics } from '@einvoicing/runtime/metrics'
import { eventually } from '@einvoicing/servers/eventually'
import type { Gateway } from './service'
import { fetchFrom, openForTest, postInvoice, simpleInvoice } from './testdata/open-gateway'
import { smallArtefacts, smallInvoices } from './testdata/small-services'

const invoicesFinding = (checkInvoices: () => Promise<Readiness>) => ({
  invoices: { ...smallInvoices(), checkInvoices },
})

it.each([
  ['/livez', 'live'],
  ['/servingz', 'serving'],
])('answers %s without probing a dependency', async (path, status) => {
  const gateway = await openForTest(
    {},
    invoicesFinding(() => Promise.reject(new Error('away'))),
  )
  expect((await fetchFrom(gateway, path)).body).toEqual({
    code: 'OK',
    message: 'OK',
    data: { status },
    errors: null,
  })
  await gateway.close()
})

it.each(['test', 'live'])('says in every place whether it is a test: %s', async (environment) => {
  const gateway = await openForTest({ ENVIRONMENT: environment })
  expect((await fetchFrom(gateway, '/readyz')).body.data).toMatchObject({ environment })
  for (const path of ['/openapi.json', '/openapi.fr.json']) {
    const document = (await (await fetch(`${gateway.url}${path}`)).json()) as { info: object }
    expect(document.info).toHaveProperty('x-environment', environment)
  }
  const style = await (await fetch(`${gateway.url}/docs/environment.css`)).text()
  expect(style.includes('.test-badge')).toBe(environment === 'test')
  await gateway.close()
})

it('is ready when all it needs is there, and names what is unavailable', async () => {
  let away = false
  const finding = invoicesFinding(() =>
    away ? Promise.reject(new Error('password in here')) : Promise.resolve({ dependencies: [] }),
  )
  const gateway = await openForTest({}, finding)
  const ready = await fetchFrom(gateway, '/readyz')
  expect(ready.body.data).toEqual({
    status: 'ready',
    environment: 'live',
    dependencies: { organizations: 'ok', invoices: 'ok', artefacts: 'ok' },
  })
  away = true
  const { status, headers, body } = await fetchFrom(gateway, '/readyz')
  expect([status, headers.get('retry-after')]).toEqual([503, '5'])
  expect(body).toEqual({
    code: 'SERVICE_UNAVAILABLE',
    message: 'Not ready: invoices is not available.',
    data: null,
    errors: [{ field: 'invoices', message: 'is not available' }],
  })
  await gateway.close()
})

it('reports essential and optional dependencies', async () => {
  const problem = 'MONGODB_URL names a server without a replica set'
  const gateway = await openForTest(
    {},
    {
      ...invoicesFinding(async () => ({
        dependencies: [
          { name: 'mongodb', essential: true, problem },
          { name: 'nats', essential: false, problem: 'is not available' },
        ],
      })),
    },
  )
  const { status, body } = await fetchFrom(gateway, '/readyz')
  expect(status).toBe(503)
  expect(body.errors).toEqual([
    { field: 'invoices', message: 'waits for mongodb' },
    { field: 'mongodb', message: problem },
  ])
  await gateway.close()
})

it('is ready, degraded, without the archive', async () => {
  const checkArtefacts = () => Promise.reject(new ApiError('SERVICE_UNAVAILABLE', 'away'))
  const gateway = await openForTest({}, { artefacts: { ...smallArtefacts(), checkArtefacts } })
  const { status, body } = await fetchFrom(gateway, '/readyz')
  expect(status).toBe(200)
  expect(body.data).toEqual({
    status: 'degraded',
    environment: 'live',
    dependencies: { organizations: 'ok', invoices: 'ok', artefacts: 'is not available' },
  })
  await gateway.close()
})

it('does not wait for a dependency that never answers', async () => {
  const gateway = await openForTest(
    {},
    invoicesFinding(() => new Promise(() => undefined)),
  )
  const [one, other] = await Promise.all([
    fetchFrom(gateway, '/readyz'),
    fetchFrom(gateway, '/readyz'),
  ])
  expect([one.status, other.status]).toEqual([503, 503])
  await gateway.close()
})

describe('with an address for operations', () => {
  const operations = { OPERATIONS_ADDRESS: '127.0.0.1:0' }
  const without = (problem: string) =>
    invoicesFinding(async () => ({
      dependencies: [{ name: 'mongodb', essential: true, problem }],
    }))
  const fetchOperations = async ({ operationsPort }: Gateway, path: string) => {
    const answer = await fetch(`http://127.0.0.1:${operationsPort}${path}`)
    return [answer.status, await answer.text()] as const
  }

  it('serves metrics and dependencies there, and no client sees them', async () => {
    const gateway = await openForTest(operations, without(''))
    const ready = await fetchFrom(gateway, '/readyz')
    expect([ready.status, ready.body.data]).toEqual([200, { status: 'ready', environment: 'live' }])
    for (const path of ['/livez', '/servingz'])
      expect((await fetchFrom(gateway, path)).status).toBe(200)
    const hidden = await fetchFrom(gateway, '/metrics')
    expect([hidden.status, hidden.body.code]).toEqual([404, 'NOT_FOUND'])

    const [status, text] = await fetchOperations(gateway, '/readyz')
    const dependencies = { organizations: 'ok', invoices: 'ok', mongodb: 'ok', artefacts: 'ok' }
    expect([status, JSON.parse(text)]).toEqual([200, { status: 'ready', dependencies }])
    const [found, metrics] = await fetchOperations(gateway, '/metrics')
    expect([found, metrics]).toEqual([200, expect.stringContaining('http_request_duration')])
    await gateway.close()
    await expect(fetchOperations(gateway, '/livez')).rejects.toThrow()
  })

  it('names unavailable dependencies on that port only', async () => {
    const gateway = await openForTest(operations, without('is not available'))
    const { status, headers, body } = await fetchFrom(gateway, '/readyz')
    expect([status, headers.get('retry-after')]).toEqual([503, '5'])
    expect(body).toEqual({
      code: 'SERVICE_UNAVAILABLE',
      message: 'Not ready.',
      data: null,
      errors: null,
    })
    const [there, text] = await fetchOperations(gateway, '/readyz')
    expect([there, JSON.parse(text)]).toMatchObject([
      503,
      { status: 'waiting', dependencies: { mongodb: 'is not available' } },
    ])
    await gateway.close()
  })

  it('is available while the public port accepts no request', async () => {
    let letGo: () => void = () => undefined
    const held = new Promise<void>((resolve) => (letGo = resolve))
    let began = 0
    const invoices = {
      ...without('').invoices,
      createInvoice: async () => {
        began += 1
        await held
        throw new ApiError('SERVICE_UNAVAILABLE', 'away')
      },
    }
    const gateway = await openForTest({ ...operations, MAX_CONNECTIONS: '10' }, { invoices })
    // Half of the connections may be one network's.
    const creations = Array.from({ length: 5 }, () => postInvoice(gateway, simpleInvoice))
    await eventually(() => expect(began).toBe(5))
    await expect(fetchFrom(gateway, '/livez')).rejects.toThrow()
    expect((await fetchOperations(gateway, '/readyz'))[0]).toBe(200)
    expect((await fetchOperations(gateway, '/metrics'))[0]).toBe(200)
    letGo()
    expect((await Promise.all(creations)).map(({ status }) => status)).toEqual(Array(5).fill(503))
    await gateway.close()
  })

  it('an address in use ends the start with a message that names it', async () => {
    const gateway = await openForTest(operations)
    const OPERATIONS_ADDRESS = `127.0.0.1:${gateway.operationsPort}`
    await expect(openForTest({ OPERATIONS_ADDRESS })).rejects.toThrow(
      `OPERATIONS_ADDRESS ${OPERATIONS_ADDRESS}: cannot listen`,
    )
    await gateway.close()
  })
})

it('measures requests by route, never by path', async () => {
  const gateway = await openForTest()
  await fetchFrom(gateway, '/v1/invoices/some-path/pdf')
  const text = await (await fetch(`${gateway.url}/metrics`)).text()
  expect(text).toContain(
    'http_request_duration_seconds_count{method="GET",route="/v1/invoices/:id/pdf",status="4xx"} 1',
  )
  expect(text).not.toContain('some-path')
  await gateway.close()
})

it('reports its dependencies without making a scrape wait for them', async () => {
  const gateway = await openForTest(
    {},
    invoicesFinding(() => new Promise(() => undefined)),
  )
  const scrape = async () => (await fetch(`${gateway.url}/metrics`)).text()
  // A scrape that waited for the check would report its result; a machine may pause for as long.
  await eventually(async () => {
    metrics.resetMetrics()
    const checked = fetchFrom(gateway, '/readyz')
    const meanwhile = await scrape()
    await checked
    expect(meanwhile).not.toContain('einvoicing_dependency_up{')
  })

  const later = await scrape()
  expect(later).toContain('einvoicing_dependency_up{dependency="invoices",essential="true"} 0')
  expect(later).toContain('einvoicing_dependency_up{dependency="artefacts",essential="false"} 1')
  await gateway.close()
})
