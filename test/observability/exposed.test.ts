/**
 * Alerts and dashboard query only metrics that running services expose, and every metric of ours is
 * queried: standalone, and with every service as a process.
 */

import { describeWith } from '@einvoicing/servers/describe-with'
import { newOrganization } from '../stack/organization'
import { borrowServices, borrowStack } from '../stack/per-run/shared-stack'
import { backingServices, readPorts } from '../stack/services'
import type { Stack } from '../stack/stack'
import { recorded, queriedSeries } from './files'

const scrapeMsMax = 5_000

/** Names of series, by what `# TYPE` declares. */
async function seriesAt(origin: string): Promise<string[]> {
  const startedAt = performance.now()
  const text = await (await fetch(`${origin}/metrics`)).text()
  expect(performance.now() - startedAt).toBeLessThan(scrapeMsMax)
  return [...text.matchAll(/^# TYPE (\S+) (\S+)$/gm)].flatMap(([, name, type]) =>
    type === 'histogram' ? ['bucket', 'sum', 'count'].map((part) => `${name}_${part}`) : [name!],
  )
}

const unasked = (exposed: readonly string[]) => {
  const base = (name: string) => name.replace(/_(bucket|sum|count)$/, '')
  const queried = new Set([...queriedSeries()].flatMap((name) => [name, base(name)]))
  const ours = exposed.filter((name) => name.startsWith('einvoicing_'))
  return ours.filter((name) => !queried.has(name) && !queried.has(base(name)))
}

async function used(stack: Stack): Promise<void> {
  const { invoices } = await newOrganization(stack)
  const { id } = await invoices.created()
  await invoices.decided(id)
}

test('the series queried are found in expressions', () => {
  expect([...queriedSeries()]).toEqual(
    expect.arrayContaining([
      'http_request_duration_seconds_bucket',
      'einvoicing_invoices',
      'einvoicing_dependency_up',
      'process_start_time_seconds',
    ]),
  )
  expect([...queriedSeries()].filter((name) => /^grpc_(code|method|service)$/.test(name))).toEqual(
    [],
  )
})

test('standalone: every metric is queried', async () => {
  const stack = await borrowStack('standalone')
  try {
    await used(stack)
    const exposed = await seriesAt(stack.baseUrl)
    expect(exposed).toContain('einvoicing_invoices')
    expect(unasked(exposed)).toEqual([])
  } finally {
    await stack.dispose()
  }
})

describeWith(backingServices, 'every service a process', () => {
  let stack: Awaited<ReturnType<typeof borrowServices>>
  beforeAll(async () => void (stack = await borrowServices()), 120_000)
  afterAll(() => stack.dispose())

  test('together they expose every metric that is queried, and no other', async () => {
    await used(stack)
    const health = Object.entries(await readPorts(stack.dataDir)).filter(([name]) =>
      name.endsWith('Health'),
    )
    expect(health).toHaveLength(5)
    const origins = [stack.baseUrl, ...health.map(([, port]) => `http://127.0.0.1:${port}`)]
    const exposed = (await Promise.all(origins.map(seriesAt))).flat()
    const reported = new Set([...exposed, ...recorded])
    expect([...queriedSeries()].filter((name) => !reported.has(name))).toEqual([])
    expect(unasked(exposed)).toEqual([])
  })
})
