/**
 * More requests than can be answered, over connections that are open already: those that are
 * accepted are answered within a client's patience, the others are refused soon, and it is over
 * as soon as the load is.
 */

import { eventually } from '@einvoicing/servers/eventually'
import { newOrganization } from '../stack/organization'
import { startOpenLoop, type OpenLoop } from '../stack/open-loop'
import { slowestLivez } from '../stack/slowest-livez'
import { startStandalone, type Standalone } from '../stack/standalone'

const patienceMs = 2_000
// More than the 1,024 requests that may be in work at once, however fast the machine is.
const connections = 1_200
const atOnce = 24
// Of our liveness probes in Kubernetes.
const probeMs = 5_000

let stack: Standalone
let key: string
let loop: OpenLoop
beforeAll(async () => {
  stack = await startStandalone({ env: { RATE_LIMIT_PER_MINUTE: '100000000' } })
  key = (await newOrganization(stack)).key.key
  loop = await startOpenLoop({ url: stack.baseUrl, key, connections: atOnce })
  // Warm, or what is measured first is the compiler.
  await loop.run({ atOnce: 16, seconds: 4, patienceMs })
}, 120_000)
afterAll(async () => {
  loop.close()
  await stack.dispose()
})

test('ten times what it can do leaves a good part of what it can do', async () => {
  const peak = await loop.run({ atOnce, seconds: 4, patienceMs })
  expect(peak.good).toBeGreaterThan(0)

  // Connected now: the server ends a connection that sends nothing for ten seconds.
  const crowd = await startOpenLoop({ url: stack.baseUrl, key, connections })
  const flood = crowd
    .run({ perSecond: 10 * peak.goodPerSecond, seconds: 6, patienceMs })
    .finally(() => crowd.close())
  const livezMs = await slowestLivez(stack.baseUrl, flood)
  const found = await flood
  await eventually(async () => {
    const metrics = await (await fetch(`${stack.baseUrl}/metrics`)).text()
    expect(metrics).toMatch(/^einvoicing_requests_in_flight 0$/m)
  })
  const after = await loop.run({ atOnce, seconds: 4, patienceMs })
  const all = JSON.stringify({ peak, found, after, livezMs })
  process.stdout.write(`overload: ${all}\n`)

  // It does not collapse. How much is left, other tests beside it decide: `npm run bench -- overload` measures.
  const unloaded = Math.min(peak.goodPerSecond, after.goodPerSecond)
  expect(found.goodPerSecond / unloaded).toBeGreaterThan(0.1)
  expect(found).toMatchObject({ withoutRetryAfter: 0, other: 0 })
  expect(found.refused).toBeGreaterThan(0)
  expect(livezMs).toBeLessThan(probeMs)
  // It recovers at once: nothing is left in a queue that no one waits for.
  expect(after.good).toBeGreaterThan(0)
  expect(after).toMatchObject({ refused: 0, late: 0 })
}, 120_000)
