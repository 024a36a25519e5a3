/**
 * Every process and every backing service killed under load: nothing answered is lost, nothing is
 * submitted twice, and all goes on without a hand.
 */

import { eventually } from '@einvoicing/servers/eventually'
import { newOrganization, type Organization } from '../stack/organization'
import { drawSeed, seededRandom } from '../stack/random'
import type { Services } from '../stack/services'
import { expectNothingLost } from './nothing-lost'
import { createPersistently, type PersistentLoad } from './persistent-load'
import { submissionTotal } from './record'

export function testKilled(started: () => Services): void {
  let services: Services
  let organization: Organization
  let submitted: number
  beforeAll(async () => {
    services = started()
    submitted = await submissionTotal(services.simulatorUrl)
  })
  beforeEach(async () => {
    organization = await newOrganization(services)
  })

  const load = (seed: number): PersistentLoad => {
    const { urls } = services
    return createPersistently({
      urls,
      key: organization.key.key,
      random: seededRandom(seed),
      connections: 6,
      pauseMs: 1_500,
    })
  }
  const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

  async function expectAllThere(working: PersistentLoad): Promise<void> {
    submitted += await expectNothingLost(working, organization)
    expect(await submissionTotal(services.simulatorUrl)).toBe(submitted)
  }

  const seed = drawSeed('services')
  test(`one after another (SEED=${seed})`, async () => {
    const random = seededRandom(seed)
    const working = load(seed)
    for (const name of random.shuffled(await services.names())) {
      await pause(random.int(300, 1_000))
      await services.signal(name, 'SIGKILL')
      await pause(1_000)
    }
    await services.untilReady()
    // However slow the machine is: enough for a loss to show.
    await eventually(async () => expect(working.acknowledged.length).toBeGreaterThan(50))
    await working.stop()
    await expectAllThere(working)
  }, 300_000)

  test('all at once', async () => {
    const working = load(seed + 1)
    await pause(2_000)
    const names = await services.names()
    await Promise.all(names.map((name) => services.signal(name, 'SIGKILL')))
    await services.untilReady()
    await pause(2_000)
    await working.stop()
    await expectAllThere(working)
  }, 300_000)
}
