/**
 * The bus loses all it holds under load, by an operator's command and with the server's disk: every
 * invoice is decided within a minute all the same, and none is submitted twice.
 */

import net from 'node:net'
import { describeWithOwn } from '@einvoicing/servers/describe-with'
import { startNats, type Nats } from '@einvoicing/servers/nats'
import { disposeAfter } from '../stack/dispose-after'
import { newOrganization, type Organization } from '../stack/organization'
import { drawSeed, seededRandom } from '../stack/random'
import { backingServices, startServices, type Services } from '../stack/services'
import { createPersistently } from './persistent-load'
import { setBehaviour, submissionTotal, untilAllDecided } from './record'

// Detection, the window in which a publish counts as a duplicate, and the platform itself.
const healedWithinMs = 60_000

describeWithOwn(backingServices, 'services as processes, when the bus loses everything', () => {
  const disposed = disposeAfter(afterAll)
  let nats: Nats
  let services: Services
  beforeAll(async () => {
    nats = disposed(await startNats())
    services = disposed(await startServices({ env: { NATS_URL: nats.url } }))
    // Every moment finds invoices that wait for their decision.
    await setBehaviour(services.simulatorUrl, { latencyMs: 4_000 })
  }, 300_000)

  const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

  const reportedLosses = async () => (await services.output()).split('NATS has lost events').length

  const deleteStreams = async () => {
    for (const stream of ['einvoicing-invoice', 'einvoicing-clearance']) {
      await sendToNats(nats.url, `PUB $JS.API.STREAM.DELETE.${stream} 0\r\n\r\n`)
    }
  }
  const deleteStore = async () => {
    await nats.deleteStore()
    await nats.start()
  }

  const seed = drawSeed('services-bus')
  test.each([
    ['its streams are deleted', deleteStreams],
    ['its store is deleted', deleteStore],
  ])(
    `all is decided though %s under way (SEED=${seed})`,
    async (_, lose) => {
      const organization: Organization = await newOrganization(services)
      const before = await submissionTotal(services.simulatorUrl)
      const load = createPersistently({
        urls: services.urls,
        key: organization.key.key,
        random: seededRandom(seed),
        connections: 4,
      })
      const acknowledged = async (count: number) => {
        while (load.acknowledged.length < count) await pause(50)
      }
      await acknowledged(15)
      const reported = await reportedLosses()
      await lose()
      await acknowledged(30)
      await load.stop()
      expect(load.wrong).toEqual([])
      const all = await untilAllDecided(organization.invoices, healedWithinMs)
      expect(all.length).toBeGreaterThanOrEqual(load.acknowledged.length)
      expect(await reportedLosses()).toBeGreaterThan(reported)
      expect(all.filter(({ status }) => status !== 'ACCEPTED')).toEqual([])
      expect(await submissionTotal(services.simulatorUrl)).toBe(before + all.length)
    },
    150_000,
  )
})

/** In the protocol's own words: this space has no client of NATS. */
function sendToNats(url: string, line: string): Promise<void> {
  const { hostname, port } = new URL(url)
  return new Promise((resolve, reject) => {
    const socket = net.connect({ host: hostname, port: Number(port) })
    socket.once('error', reject)
    socket.on('data', (bytes) => {
      if (bytes.includes('PONG')) socket.end(resolve)
    })
    socket.write(`CONNECT {"verbose":false}\r\n${line}PING\r\n`)
  })
}
