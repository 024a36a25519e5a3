import type { Bus } from '@einvoicing/events/bus'
import { openInProcessBus } from '@einvoicing/events/in-process/in-process-bus'
import { openNatsBus } from '@einvoicing/events/nats/nats-bus'
import { natsConfig, patientPublishMs } from '@einvoicing/events/testdata/nats-bed'
import { createLog } from '@einvoicing/runtime/log'
import { closeAll } from '@einvoicing/runtime/serve'
import { describeWithOwn } from '@einvoicing/servers/describe-with'
import { startNats, type Nats } from '@einvoicing/servers/nats'
import { startClearance } from './testdata/clearance-at-work'
import type { AtWork, AtWorkOptions } from './testdata/clearance-at-work'
import { openScriptedPlatform, type ScriptedPlatform } from './testdata/scripted-platform'
import { makeXml, signedEvent } from './testdata/signed'

const log = createLog('silent')
// Three quarters of eight slots, for one organization.
const atOnce = 6

let platform: ScriptedPlatform
const started: AtWork[] = []
beforeEach(async () => (platform = await openScriptedPlatform()))
afterEach(async () => {
  await platform.close()
  for (const atWork of started.splice(0)) await atWork.close()
})

async function start(options: AtWorkOptions): Promise<AtWork> {
  const atWork = await startClearance({ platform, ...options })
  started.push(atWork)
  return atWork
}

function decide(invoiceId: string): void {
  const receivedAt = new Date().toISOString()
  const xml = makeXml(invoiceId).toString()
  platform.submissions.set(invoiceId, { submissionId: 'x', invoiceId, xml, receivedAt, reads: 1 })
}

function record(bus: Bus) {
  const published: string[] = []
  const publish: Bus['publish'] = async (event) => {
    await bus.publish(event)
    published.push(`${event.type} ${event.subject}`)
  }
  return { published, bus: { ...bus, publish } }
}

function tests(open: () => Promise<Bus>, publishAgain: (bus: Bus, ids: string[]) => Promise<void>) {
  it('publishes the answers that arrive, sends nothing more, and the next process does the rest', async () => {
    const sent = new Set<string>()
    const { published, bus } = record(await open())
    const first = await start({ bus, sent })
    let answer = (): void => undefined
    platform.hold = new Promise((resolve) => (answer = resolve))
    decide('decided')
    await bus.publish(signedEvent('decided', { transmitted: true }))
    await first.until(() => platform.requests.length === 1)
    const waiting = Array.from({ length: 50 }, (_, n) => `waiting-${n}`)
    for (const id of waiting) await bus.publish(signedEvent(id))
    await first.until(() => platform.requests.length === atOnce)

    published.length = 0
    const stopped = closeAll([bus, first.clearance], log)
    await new Promise((resolve) => setTimeout(resolve, 100))
    answer()
    await stopped
    expect(first.requestKinds()).toEqual(['find', ...Array(atOnce - 1).fill('submit')])
    const [decided, ...submitted] = platform.submissions.keys()
    expect(new Set(published)).toEqual(
      new Set([
        `clearance.accepted ${decided}`,
        ...submitted.map((id) => `clearance.transmitted ${id}`),
      ]),
    )

    const stoppedAtMs = performance.now()
    const next = await start({ bus: await open(), sent })
    await publishAgain(next.bus, waiting)
    await next.ended(...waiting)
    // Not after the 30 s of a delivery that is put off.
    expect(performance.now() - stoppedAtMs).toBeLessThan(20_000)
    expect(next.requestKinds().filter((kind) => kind === 'submit')).toHaveLength(waiting.length)
  })
}

describe('a stop, on the bus of one process', () => {
  tests(
    async () => openInProcessBus(log),
    // As the store does at the start.
    async (bus, ids) => {
      for (const id of ids) await bus.publish(signedEvent(id))
    },
  )
})

describeWithOwn('nats-server', 'a stop, on NATS', () => {
  let server: Nats
  beforeAll(async () => void (server = await startNats()))
  afterAll(() => server.dispose())
  tests(
    () => openNatsBus(natsConfig(server.url), { log, publishMs: patientPublishMs }),
    async () => undefined,
  )
})
