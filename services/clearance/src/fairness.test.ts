import type { Bus } from '@einvoicing/events/bus'
import { openInProcessBus } from '@einvoicing/events/in-process/in-process-bus'
import { openNatsBus } from '@einvoicing/events/nats/nats-bus'
import { patientPublishMs } from '@einvoicing/events/testdata/nats-bed'
import { createLog } from '@einvoicing/runtime/log'
import { describeWithOwn } from '@einvoicing/servers/describe-with'
import { startNats, type Nats } from '@einvoicing/servers/nats'
import { defaultPace } from './pace'
import { startClearance, type AtWork } from './testdata/clearance-at-work'
import {
  acceptOnSecondRead,
  answerWith,
  cutBefore,
  type Failure,
  type PlatformRequest,
} from './testdata/scripted-platform'
import { signedEvent } from './testdata/signed'

const log = createLog('silent')
const pageSize = 100
const settings = {
  requestDeadlineMs: 2_000,
  inFlightMax: 32,
  pace: defaultPace,
  breaker: { failingInvoicesMax: 10, openMs: 5_000 },
}

const ids = (kind: string, count: number) => Array.from({ length: count }, (_, n) => `${kind}-${n}`)

const greedy = [
  ...ids('undecided', 1_500),
  ...ids('cut', 30),
  ...ids('unavailable', 30),
  ...ids('silent', 30),
  ...ids('throttled', 100),
  ...ids('ordinary', 700),
]

const throttled = new Set<string>()

function findProblem({ invoiceId = '', kind }: PlatformRequest): Failure | undefined {
  if (kind !== 'submit' && kind !== 'find') return undefined
  if (invoiceId.startsWith('cut')) return cutBefore
  if (invoiceId.startsWith('unavailable')) return answerWith(503, {}, { 'retry-after': '1' })
  if (invoiceId.startsWith('silent')) return { strikes: 'before', answer: 'silence' }
  if (!invoiceId.startsWith('throttled') || throttled.has(invoiceId)) return undefined
  throttled.add(invoiceId)
  return answerWith(429, {}, { 'retry-after': '1' })
}

function tests(open: () => Promise<Bus>, clear: () => Promise<void>): void {
  let atWork: AtWork
  beforeEach(async () => {
    throttled.clear()
    atWork = await startClearance({ bus: await open(), config: settings })
    atWork.platform.failWith = findProblem
    atWork.platform.decide = (submission) =>
      submission.invoiceId.startsWith('undecided')
        ? { status: 'PROCESSING' }
        : acceptOnSecondRead(submission)
  })
  afterEach(async () => {
    await atWork.close()
    await clear()
  }, 60_000)

  // In pages, as the outbox does: of thousands at once the last would miss their deadline.
  const publish = async (organizationid: string, invoiceIds: readonly string[]) => {
    const clearanceStartedAt = new Date().toISOString()
    for (let first = 0; first < invoiceIds.length; first += pageSize) {
      const events = invoiceIds.slice(first, first + pageSize).map((id) => ({
        ...signedEvent(id, { clearanceStartedAt }),
        organizationid,
      }))
      await Promise.all(events.map((event) => atWork.bus.publish(event)))
    }
  }

  const countDecided = (kind: string) =>
    new Set(
      atWork.events
        .filter(({ subject, type }) => subject.startsWith(kind) && type === 'clearance.accepted')
        .map(({ subject }) => subject),
    ).size

  const measureTime = async (invoiceIds: string[]) => {
    const began = performance.now()
    await publish('other', invoiceIds)
    await atWork.ended(...invoiceIds)
    return performance.now() - began
  }

  it('20 invoices beside 2,390 of another organization take about as long as alone', async () => {
    const aloneMs = await measureTime(ids('alone', 20))
    await publish('greedy', greedy)
    await atWork.until(() => atWork.platform.requests.length > 300)
    const besideMs = await measureTime(ids('beside', 20))
    const decidedMeanwhile = countDecided('ordinary')
    const later = await measureTime(ids('later', 20))
    // The 700 before them take 24 s alone; the pauses of the 100 would take minutes.
    expect(decidedMeanwhile).toBeLessThan(100)
    expect(countDecided('ordinary')).toBeLessThan(500)
    // Those whose requests are cut or get no answer hold places for 2 s each.
    expect(besideMs).toBeLessThan(5 * aloneMs + 10_000)
    expect(later).toBeLessThan(5 * aloneMs + 30_000)
    process.stderr.write(
      `20 invoices: alone ${Math.round(aloneMs)} ms, beside ${Math.round(besideMs)} ms, later ${Math.round(later)} ms; ${countDecided('ordinary')} of the others\n`,
    )
  }, 180_000)

  it('the other organization’s valid invoices are all decided', async () => {
    await publish('greedy', [...ids('cut', 30), ...ids('ordinary', 250), ...ids('throttled', 20)])
    await atWork.ended(...ids('ordinary', 250))
    expect(atWork.platform.requests.filter(({ kind }) => kind === 'submit').length).toBeGreaterThan(
      250,
    )
  }, 180_000)

  // With equal chances to make the one call of every five seconds it would take 150 s.
  it('an invoice that did not fail goes before 30 of its organization that fail each time', async () => {
    await publish('greedy', ids('cut', 30))
    await atWork.until(() => atWork.platform.requests.length >= 30)
    await publish('greedy', ['ordinary-0'])
    await atWork.ended('ordinary-0')
    expect(atWork.platform.requests.length).toBeLessThan(60)
  }, 180_000)
}

describe('fairness on the bus of one process', () => {
  tests(
    async () => openInProcessBus(log),
    async () => undefined,
  )
})

describeWithOwn('nats-server', 'fairness on NATS', () => {
  let server: Nats
  beforeAll(async () => void (server = await startNats()))
  afterAll(() => server.dispose())
  const open = () =>
    openNatsBus(
      {
        kind: 'nats',
        servers: [server.url],
        tls: 'when offered',
        caFile: undefined,
        credentials: { kind: 'none' },
        replicas: 1,
      },
      { log, publishMs: patientPublishMs },
    )
  tests(open, async () => {
    await server.dispose()
    server = await startNats()
  })
})
