/**
 * SIGTERM: no request is cut, nothing acknowledged is lost, the process ends by itself and in time
 * (design.md, section 6): with 0, and with 1 when that takes twice the time to drain.
 */

import net from 'node:net'
import { disposeAfter } from '../stack/dispose-after'
import { EventReader } from '../stack/event-reader'
import { eventually } from '@einvoicing/servers/eventually'
import { inBatches } from '@einvoicing/servers/in-batches'
import { anInvoice } from '../stack/invoices'
import { newOrganization, type Organization } from '../stack/organization'
import { drawSeed, seededRandom } from '../stack/random'
import { beginRaw } from '../stack/raw-http'
import { startStandalone, type Standalone, type Wire } from '../stack/standalone'
import { createUnderLoad } from './load'
import { expectDocuments, listAll, setBehaviour, untilAllDecided } from './record'

// Before the sweeper's two minutes, which would hide what was lost.
const decidedWithinMs = 100_000

describe.each<Wire>(['none', 'grpc'])('SIGTERM (WIRE=%s)', (wire) => {
  // The rest is between the gateway and its clients: the same code on any wire.
  const testGateway = wire === 'none' ? test : () => undefined

  const disposed = disposeAfter(afterEach)
  let stack: Standalone
  let organization: Organization
  const seed = drawSeed('shutdown')
  beforeEach(async () => {
    stack = disposed(await startStandalone({ wire }))
    organization = await newOrganization(stack)
  })

  test(`a stop under load cuts no request (SEED=${seed})`, async () => {
    const load = createUnderLoad(organization.invoices, { random: seededRandom(seed) })
    await new Promise((resolve) => setTimeout(resolve, 400))
    const ended = await stack.stop()
    await load.done
    expect(ended.code).toBe(0)
    expect(load.refused.filter(({ status }) => status !== 503)).toEqual([])

    await stack.restart()
    const all = await listAll(organization.invoices)
    const stored = new Set(all.map(({ invoiceNumber }) => invoiceNumber))
    const lost = load.acknowledged.filter(({ invoiceNumber }) => !stored.has(invoiceNumber))
    // A request that got no answer met an endpoint already closed: it must not have been done.
    const cut = load.unanswered.filter(({ invoiceNumber }) => stored.has(invoiceNumber))
    expect({ lost, cut }).toEqual({ lost: [], cut: [] })
    expect(all).toHaveLength(load.acknowledged.length)
    await expectDocuments(
      organization.invoices,
      await untilAllDecided(organization.invoices, 60_000),
    )
  })

  testGateway(
    'a request whose body is still arriving is answered',
    async () => {
      const body = JSON.stringify(anInvoice())
      const head = [
        'POST /v1/invoices HTTP/1.1',
        `Host: ${new URL(stack.baseUrl).host}`,
        `Authorization: Bearer ${organization.key.key}`,
        'Content-Type: application/json',
        `Content-Length: ${Buffer.byteLength(body)}`,
        'Expect: 100-continue',
      ].join('\r\n')
      const request = await beginRaw(stack.baseUrl, `${head}\r\n\r\n${body.slice(0, 20)}`)
      const stopping = stack.stop()
      await eventually(() => expect(fetch(`${stack.baseUrl}/livez`)).rejects.toThrow())
      const answer = await request.finish(body.slice(20))
      expect(answer?.status).toBe(201)
      expect(answer?.headers).toMatch(/^connection: close$/im)
      const ended = await stopping
      expect(ended.code).toBe(0)
    },
    60_000,
  )

  test('idle connections and a platform that hangs do not delay it', async () => {
    await setBehaviour(stack.simulatorUrl, { answerLatencyMs: 60_000 })
    const { hostname, port } = new URL(stack.baseUrl)
    const idle = Array.from({ length: 5 }, () => net.connect(Number(port), hostname))
    idle.forEach((socket) => socket.on('error', () => undefined))
    await organization.invoices.created()
    const ended = await stack.stop()
    expect(ended.code).toBe(0)
    expect(ended.stderr).toBe('')
    idle.forEach((socket) => socket.destroy())
  })

  testGateway(
    'pages that listen are let go at once',
    async () => {
      const readers = Array.from({ length: 5 }, () => new EventReader(organization.session))
      await eventually(async () => {
        for (const { events } of readers) expect(events[0]?.name).toBe('ready')
      })
      const ended = await stack.stop()
      for (const reader of readers) reader.close()
      // Else they are cut with all connections that are still open after the time to drain.
      for (const { ended: times } of readers) expect(times).toBeGreaterThan(0)
      expect(ended.code).toBe(0)
      expect(ended.stderr).toBe('')
    },
    60_000,
  )

  test('invoices that wait for a slow platform are left to the next start', async () => {
    await setBehaviour(stack.simulatorUrl, { answerLatencyMs: 2_000 })
    await inBatches(Array.from({ length: 300 }), () => organization.invoices.created())
    const ended = await stack.stop()
    expect(ended.code).toBe(0)
    await stack.restart()
    await setBehaviour(stack.simulatorUrl, { answerLatencyMs: 0 })
    const all = await untilAllDecided(organization.invoices, decidedWithinMs).catch(
      (cause: unknown) => {
        throw new Error(stack.output(), { cause })
      },
    )
    expect(new Set(all.map(({ status }) => status))).toEqual(new Set(['ACCEPTED']))
  }, 240_000)
})
