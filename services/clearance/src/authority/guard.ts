/** A failure holds back its own organization, and all when others fail too. */

import type { Log } from '@einvoicing/runtime/log'
import { breakerState } from '../metrics'
import type { Answer } from './authority'
import { Breaker, type BreakerOptions, type BreakerState, type InvoiceRef } from './breaker'
import { Pauses } from './pauses'
import { retryAfterMaxMs } from './retry-after'

/** No call was made: a pause, or an open breaker. */
export interface Held {
  kind: 'held'
  reason: string
  againInMs: number
}

export interface Guard {
  findHold(organizationId: string): Held | undefined
  call(invoice: InvoiceRef, make: () => Promise<Answer>): Promise<Answer | Held>
}

interface GuardOptions {
  breaker: BreakerOptions
  log: Log
  /** Never goes back, unlike the wall clock. */
  nowMs?: () => number
}

// For a 429 without a duration.
const pauseDefaultMs = 5_000
// A probe is running, and its answer decides.
const probeMs = 50

export function openGuard({
  breaker: options,
  log,
  nowMs = () => performance.now(),
}: GuardOptions): Guard {
  const breaker = new Breaker(options, logStates(log))
  const pauses = new Pauses()

  const findHold = (organizationId: string): Held | undefined => {
    const pauseMs = pauses.findHoldMs(organizationId, nowMs())
    if (pauseMs !== undefined) return toHeld('it requested a pause', pauseMs)
    const openMs = breaker.findHoldMs(organizationId, nowMs())
    return openMs === undefined ? undefined : toHeld('it answered none of the last calls', openMs)
  }

  const learn = (invoice: InvoiceRef, answer: Answer): void => {
    const { organizationId } = invoice
    if (answer.kind === 'unclear') breaker.failed(invoice, nowMs())
    else breaker.succeeded(organizationId)
    const pauseMs = findPauseMs(answer)
    if (pauseMs > 0) {
      // Concurrent calls get the same answer: one pause is logged once.
      const isPaused = pauses.findHoldMs(organizationId, nowMs()) !== undefined
      const isForAll = pauses.pause(organizationId, pauseMs, nowMs())
      const pause = { organizationId, pauseMs, isForAll, isCut: pauseMs >= retryAfterMaxMs }
      log[isPaused ? 'debug' : 'warn'](pause, 'the clearance platform requested a pause')
    } else if (answer.kind !== 'unclear' && answer.kind !== 'throttled') pauses.answered()
  }

  return {
    findHold,
    async call(invoice, make) {
      const held = findHold(invoice.organizationId)
      if (held) return held
      breaker.begin(invoice.organizationId, nowMs())
      const endProbe = pauses.begin(nowMs())
      try {
        const answer = await make()
        learn(invoice, answer)
        return answer
      } finally {
        endProbe()
      }
    },
  }
}

function toHeld(reason: string, forMs: number): Held {
  return { kind: 'held', reason, againInMs: forMs > 0 ? forMs : probeMs }
}

function findPauseMs(answer: Answer): number {
  if (answer.kind === 'throttled') return answer.retryAfterMs ?? pauseDefaultMs
  return answer.kind === 'unclear' ? (answer.retryAfterMs ?? 0) : 0
}

function logStates(log: Log): (state: BreakerState) => void {
  let isOpen = false
  return (state) => {
    for (const name of ['closed', 'half-open', 'open'] as const) {
      breakerState.set({ state: name }, state === name ? 1 : 0)
    }
    // Between opening and closing it is probed repeatedly.
    const isNews = isOpen ? state === 'closed' : state !== 'closed'
    isOpen = state !== 'closed'
    log[isNews ? 'warn' : 'debug']({ state }, 'circuit breaker state changed')
  }
}
