/** No store: after a restart everything is read from the platform again. */

import type { Bus, Delivery } from '@einvoicing/events/bus'
import type { Clock } from '@einvoicing/runtime/clock'
import type { InvoiceEvent } from '@einvoicing/events/event'
import type { Log } from '@einvoicing/runtime/log'
import { openGuard } from './authority/guard'
import { openHttpAuthority } from './authority/http'
import { clearInvoice } from './clear-invoice'
import type { ClearanceConfig } from './config'
import type { Deps } from './deps'
import { pollLateDecisions } from './late-decision'
import { giveUpAfter } from './metrics'
import { PollSlots } from './poll-slots'
import { readSignedXmlFrom, type InvoicesReader } from './signed-xml'
import { watchTroubles } from './troubles'
import { Turns, type Kind } from './turns'
import { UndecidedInvoices } from './undecided'

export interface ClearanceDependencies {
  bus: Bus
  invoices: InvoicesReader
  now: Clock
  /** In [0, 1), for jitter. */
  random?: () => number
  log: Log
}

export interface Clearance {
  /** Throws when the platform is unreachable, which never makes this service unready. */
  check(): Promise<void>
  /** Before the bus: running calls end and publish, what waits is left to the next process. */
  close(): Promise<void>
}

type Again = void | { againInMs: number }

// Enough for every organization to be among those that take turns.
const waitingPerSlot = 32

// At 200 ms to a decision and 250 ms between polls, some 300 decisions a second.
const awaitedMax = 192

export function openClearance(
  config: ClearanceConfig,
  dependencies: ClearanceDependencies,
): Clearance {
  const { url, requestDeadlineMs, inFlightMax, breaker, pace } = config
  const { bus, invoices, now, random = Math.random, log } = dependencies
  giveUpAfter.set(config.giveUpAfterMs / 1_000)
  const connectionsMax = inFlightMax
  const authority = openHttpAuthority({ url, requestDeadlineMs, connectionsMax, now })
  const guard = openGuard({ breaker, log })
  const undecided = new UndecidedInvoices()
  const troubles = watchTroubles(log)
  const { pollsPerSecondMin: perSecondMin, pollDelayMaxMs: delayMaxMs } = pace
  const polls = new PollSlots({ perSecondMin, delayMaxMs })
  const waitingMax = inFlightMax * waitingPerSlot
  const turns = new Turns({ slots: inFlightMax, waitingMax, awaitedMax })
  const readSignedXml = readSignedXmlFrom({ invoices, log, onBusy: () => turns.noteBusy() })
  const deps = { config, authority, guard, polls, bus, readSignedXml, now, random, troubles, log }

  const pollLate = pollLateDecisions(deps)
  const onSigned = undecidedOnly(deps, undecided, turns)
  let isClosing = false
  const inTurn = async (
    organizationId: string,
    kind: Kind,
    work: () => Promise<Again>,
  ): Promise<Again> => {
    const turn = turns.take(organizationId, kind)
    if ('againInMs' in turn) return turn
    const endTurn = await turn.begun
    try {
      return isClosing ? { againInMs: 0 } : await work()
    } finally {
      endTurn()
    }
  }
  const taken = { name: 'clearance', inFlightMax: inFlightMax + waitingMax }
  const subscription = bus.subscribe('invoice.signed', taken, (signed, delivery) => {
    const { organizationid } = signed
    if (!signed.data.failed) {
      return inTurn(organizationid, undecided.chooseKind(signed), () => onSigned(signed, delivery))
    }
    return inTurn(organizationid, 'retry', async () => {
      const againInMs = await pollLate({ signed, ...delivery })
      return againInMs === undefined ? undefined : { againInMs }
    })
  })
  return {
    check: () => authority.reach(),
    async close() {
      isClosing = true
      // Before the turns end: this process must not get their deliveries again.
      const ended = subscription.close()
      turns.close()
      await ended
      await authority.close()
    },
  }
}

/** One delivery at a time for an invoice; the next one sees its results. */
function undecidedOnly(deps: Deps, invoices: UndecidedInvoices, turns: Turns) {
  const nowMs = () => deps.now().getTime()
  return async (
    signed: InvoiceEvent<'invoice.signed'>,
    { attempt, span }: Delivery,
  ): Promise<Again> => {
    const undecided = invoices.claim(signed, attempt, nowMs())
    if (!undecided) return
    try {
      const waitMs = await clearInvoice(deps, { signed, undecided, span })
      const { organizationid, subject } = signed
      if (waitMs === undefined) {
        turns.decided(organizationid, subject)
        invoices.forget(subject, undecided)
        return
      }
      const { submission } = undecided
      if (submission?.id)
        turns.handedOver(organizationid, subject, nowMs() - submission.receivedAtMs)
      invoices.release(undecided, nowMs(), waitMs)
      return { againInMs: waitMs }
    } catch (error) {
      invoices.release(undecided, nowMs(), 0)
      throw error
    }
  }
}
