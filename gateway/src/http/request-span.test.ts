import type { IncomingMessage } from 'node:http'
import { createLog } from '@einvoicing/runtime/log'
import { openTracing } from '@einvoicing/runtime/trace'
import type { TraceConfig } from '@einvoicing/runtime/trace-config'
import { beginRequestSpan } from './request-span'

const config: TraceConfig = {
  url: 'http://127.0.0.1:9/v1/traces',
  headersFile: undefined,
  sampler: 'always_off',
  ratio: 0,
  scheduleDelayMs: 1_000,
}

const isTraced = (url: string) =>
  beginRequestSpan({ method: 'GET', url, headers: {} } as IncomingMessage) !== undefined

test.each([
  ['/livez', false],
  ['/servingz', false],
  ['/servingz?full', false],
  ['/readyz', false],
  ['/metrics', false],
  ['/servingzz', true],
  ['/v1/invoices', true],
])('a request of %s begins a span: %s', async (url, begins) => {
  const tracing = await openTracing(config, { service: 'gateway', log: createLog('silent') })
  expect(isTraced(url)).toBe(begins)
  await tracing.close()
})
