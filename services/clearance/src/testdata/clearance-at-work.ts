/**
 * Clearance as it runs, for tests: the real local bus, a real HTTP counterparty, and every event it
 * publishes kept.
 */

import type { Bus } from '@einvoicing/events/bus'
import { openInProcessBus } from '@einvoicing/events/in-process/in-process-bus'
import type { Clock } from '@einvoicing/runtime/clock'
import type { InvoiceEvent, EventType } from '@einvoicing/events/event'
import { createLog } from '@einvoicing/runtime/log'
import type { Call } from '@einvoicing/rpc/call'
import type { ClearanceConfig } from '../config'
import type { Pace } from '../pace'
import { openClearance, type Clearance } from '../service'
import type { InvoicesReader } from '../signed-xml'
import {
  openScriptedPlatform,
  type PlatformRequest,
  type ScriptedPlatform,
} from './scripted-platform'
import { toSha256, makeXml } from './signed'

export interface AtWork {
  platform: ScriptedPlatform
  bus: Bus
  clearance: Clearance
  /** What clearance published, in order. */
  events: InvoiceEvent[]
  /** The calls for signed XML. */
  reads: Call[]
  /** What the platform was asked, in order. */
  requestKinds(): PlatformRequest['kind'][]
  /** What clearance published of an invoice, in order. */
  published(invoiceId: string): EventType[]
  /** Resolves when each of these has its decision or is given up. */
  ended(...invoiceIds: string[]): Promise<void>
  /** Resolves when what clearance published, or what the platform met, satisfies. */
  until(satisfies: () => boolean): Promise<void>
  close(): Promise<void>
}

/**
 * For tests of a silent platform. No other test has a deadline that a busy machine can miss: the
 * platform would have the document, and clearance would learn it by `find`.
 */
export const shortDeadline = { requestDeadlineMs: 1_000 } satisfies Partial<ClearanceConfig>

export const quickPace: Pace = {
  pollMinMs: 2,
  pollsPerSecondMin: 10_000,
  pollDelayMaxMs: 20,
  pollMaxMs: 20,
  oldPollMaxMs: 20,
  youngMs: 60_000,
  retryMinMs: 4,
  retryMaxMs: 40,
  heldSpreadMs: 5,
}

const quick: Omit<ClearanceConfig, 'url'> = {
  giveUpAfterMs: 86_400_000,
  requestDeadlineMs: 10_000,
  inFlightMax: 8,
  pace: quickPace,
  breaker: { failingInvoicesMax: 1_000, openMs: 50 },
}

export interface AtWorkOptions {
  config?: Partial<ClearanceConfig>
  now?: Clock
  random?: () => number
  invoices?: InvoicesReader
  /** Ids that were read to be sent, as the store keeps them beyond a process. */
  sent?: Set<string>
  bus?: Bus
  /** One that outlives a process of clearance. */
  platform?: ScriptedPlatform
}

const ends: readonly EventType[] = ['clearance.accepted', 'clearance.rejected', 'clearance.failed']

export async function startClearance(options: AtWorkOptions = {}): Promise<AtWork> {
  const log = createLog('silent')
  const platform = options.platform ?? (await openScriptedPlatform())
  const bus = options.bus ?? openInProcessBus(log)
  const events: InvoiceEvent[] = []
  let isClosed = false
  for (const type of ['clearance.transmitted', ...ends] as const) {
    bus.subscribe(type, { name: 'test', inFlightMax: 1_000 }, async (event) => {
      events.push(event)
    })
  }
  const reads: Call[] = []
  const clearance = openClearance(
    { ...quick, url: platform.url, ...options.config },
    {
      bus,
      invoices: options.invoices ?? createReader(reads, options.sent ?? new Set()),
      now: options.now ?? (() => new Date()),
      ...(options.random && { random: options.random }),
      log,
    },
  )
  return {
    platform,
    bus,
    clearance,
    events,
    reads,
    requestKinds: () => platform.requests.map(({ kind }) => kind),
    published: (invoiceId) => events.filter((f) => f.subject === invoiceId).map(({ type }) => type),
    ended: (...invoiceIds) =>
      until(() => {
        const ended = events.filter(({ type }) => ends.includes(type))
        const endedIds = new Set(ended.map(({ subject }) => subject))
        return invoiceIds.every((id) => endedIds.has(id))
      }),
    until,
    async close() {
      if (isClosed) return
      isClosed = true
      await clearance.close()
      await bus.close()
      if (!options.platform) await platform.close()
    },
  }
}

/** Every invoice has the XML that its id says, and is read to be sent for the first time once. */
export function createReader(reads: Call[], sent: Set<string>): InvoicesReader {
  return {
    async readSignedXml({ invoiceId, toSubmit }, call) {
      reads.push(call)
      const xml = makeXml(invoiceId)
      const neverSent = toSubmit && !sent.has(invoiceId)
      if (toSubmit) sent.add(invoiceId)
      return { xml, sha256: toSha256(xml), neverSent }
    },
  }
}

const untilMaxMs = 150_000

async function until(satisfies: () => boolean): Promise<void> {
  const began = performance.now()
  while (!satisfies()) {
    if (performance.now() - began > untilMaxMs) throw new Error(`not so within ${untilMaxMs} ms`)
    await new Promise((resolve) => setTimeout(resolve, 2))
  }
}
