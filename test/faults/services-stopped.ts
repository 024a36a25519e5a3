/**
 * SIGTERM under load, to every process one after the other and to all at once: anyone who was
 * answered was answered well, anyone who was not had nothing done, and nothing is lost.
 */

import { eventually } from '@einvoicing/servers/eventually'
import { Invoices } from '../stack/invoices'
import { newOrganization, type Organization } from '../stack/organization'
import { drawSeed, seededRandom } from '../stack/random'
import type { Services } from '../stack/services'
import { createUnderLoad } from './load'
import { expectNothingLost } from './nothing-lost'
import { createPersistently } from './persistent-load'
import { listAll, submissionTotal, untilAllDecided } from './record'

const withinMs = 60_000
const own = ['organizations', 'invoices', 'signer', 'artefacts', 'clearance', 'simulator']
const gateways = ['gateway', 'gateway-2']

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

/** None of them has ended before: this reads from their logs which did. */
export function testStopped(started: () => Services): void {
  let services: Services
  let organization: Organization
  let submittedBefore: number
  beforeEach(async () => {
    services = started()
    organization = await newOrganization(services)
    submittedBefore = await submissionTotal(services.simulatorUrl)
  })

  /** How each process ended that the launcher had to start again. */
  const endings = async () =>
    (await services.output())
      .split('\n')
      .filter((line) => line.includes('process ended'))
      .map((line) => JSON.parse(line) as { process: string; code: number | null })

  async function untilRestarted(name: string): Promise<void> {
    await eventually(async () => {
      expect((await endings()).map((ending) => ending.process)).toContain(name)
    }, withinMs)
    const health = (await services.ports())[`${name}Health`]
    if (health !== undefined) {
      await eventually(async () => {
        expect((await fetch(`http://127.0.0.1:${health}/readyz`)).status).toBe(200)
      }, withinMs)
    }
    await services.untilReady()
  }

  const seed = drawSeed('services-stopped')
  test(`one after the other (SEED=${seed})`, async () => {
    const random = seededRandom(seed)
    const load = createPersistently({
      urls: services.urls,
      key: organization.key.key,
      random,
      connections: 4,
      pauseMs: 2_400,
    })
    for (const name of random.shuffled([...own, ...gateways])) {
      await pause(500)
      await services.signal(name, 'SIGTERM')
      await untilRestarted(name)
    }
    await pause(500)
    await load.stop()
    expect(load.cut).toEqual([])
    const ended = new Map((await endings()).map(({ process, code }) => [process, code]))
    expect(ended).toEqual(new Map([...ended.keys()].map((name) => [name, 0])))
    expect([...ended.keys()].sort()).toEqual([...own, ...gateways].sort())
    const made = await expectNothingLost(load, organization, 120_000)
    expect(await submissionTotal(services.simulatorUrl)).toBe(submittedBefore + made)
  }, 300_000)

  test('all of them at once', async () => {
    const { key, invoices } = organization
    const random = seededRandom(seed + 1)
    const loads = services.urls.map((url) =>
      createUnderLoad(new Invoices(url, key.key), { connections: 2, random }),
    )
    // However slow the machine is: enough for a loss to show.
    await eventually(async () => {
      expect(loads.flatMap((load) => load.acknowledged).length).toBeGreaterThan(20)
    })
    const { code, stderr } = await services.stop()
    await Promise.all(loads.map(({ done }) => done))
    await services.restart()

    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    for (const { status, headers } of loads.flatMap((load) => load.refused)) {
      expect([status, Number(headers.get('retry-after')) > 0]).toEqual([503, true])
    }
    const all = new Set((await listAll(invoices)).map(({ invoiceNumber }) => invoiceNumber))
    const acknowledged = loads.flatMap((load) => load.acknowledged)
    const unanswered = loads.flatMap((load) => load.unanswered)
    expect(acknowledged.length).toBeGreaterThan(20)
    expect(acknowledged.filter(({ invoiceNumber }) => !all.has(invoiceNumber))).toEqual([])
    // Who got no answer met an endpoint already closed.
    expect(unanswered.filter(({ invoiceNumber }) => all.has(invoiceNumber))).toEqual([])
    const made = await untilAllDecided(invoices, 120_000)
    expect(await submissionTotal(services.simulatorUrl)).toBe(submittedBefore + made.length)
  }, 300_000)
}
