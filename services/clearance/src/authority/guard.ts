/**
 * What all workers of this process share about the platform: the pauses it asked for, and a circuit
 * breaker.
 *
 * Makes no call while the platform wants a pause or is dead. Only unclear answers count against the
 * platform: an answer that refuses is an answer. What one organization's invoices meet holds back
 * that organization; it holds back all when others meet it too (breaker.ts, pauses.ts).
 */

import type { Clock } from '@einvoicing/runtime/clock'
import type { Log } from '@einvoicing/runtime/log'
import { breakerState } from '../measures'
import type { Answer } from './authority'
import { Breaker, type BreakerOptions, type BreakerState } from './breaker'
import { Pauses } from './pauses'
import { retryAfterMaxMs } from './retry-after'

/** Not asked: the platform wants a pause, or does not answer. */
export interface Held {
  kind: 'held'
  reason: string
  /** When asking makes sense again. */
  againInMs: number
}

/** Whose call it is. */
export interface Caller {
  organizationId: string
  invoiceId: string
}

export interface Guard {
  /** Why the organization may make no call now, or `undefined`. */
  findHold(organizationId: string): Held | undefined
  /** Makes the call unless it is held, and learns from its answer. */
  call(caller: Caller, make: () => Promise<Answer>): Promise<Answer | Held>
}

interface GuardOptions {
  breaker: BreakerOptions
  now: Clock
  log: Log
}

// For a 429 that does not say how long.
const pauseDefaultMs = 5_000
// A probe is under way, and its answer decides.
const probeMs = 50

export function openGuard({ breaker: options, now, log }: GuardOptions): Guard {
  const breaker = new Breaker(options, logStates(log))
  const pauses = new Pauses()
  const nowMs = () => now().getTime()

  const findHold = (organizationId: string): Held | undefined => {
    const pauseMs = pauses.findHoldMs(organizationId, nowMs())
    if (pauseMs !== undefined) return toHeld('it asked for a pause', pauseMs)
    const openMs = breaker.findHoldMs(organizationId, nowMs())
    return openMs === undefined ? undefined : toHeld('it answered none of the last calls', openMs)
  }

  const learn = (caller: Caller, answer: Answer): void => {
    const { organizationId } = caller
    if (answer.kind === 'unclear') breaker.failed(caller, nowMs())
    else breaker.succeeded(organizationId)
    const pauseMs = findPauseMs(answer)
    if (pauseMs > 0) {
      // Calls under way are answered alike: one pause is logged once.
      const isPaused = pauses.findHoldMs(organizationId, nowMs()) !== undefined
      const isForAll = pauses.pause(organizationId, pauseMs, nowMs())
      const pause = { organizationId, pauseMs, isForAll, isCut: pauseMs >= retryAfterMaxMs }
      log[isPaused ? 'debug' : 'warn'](pause, 'the clearance platform asked us to pause')
    } else if (answer.kind !== 'unclear' && answer.kind !== 'throttled') pauses.answered()
  }

  return {
    findHold: findHold,
    async call(caller, make) {
      const isHeld = findHold(caller.organizationId)
      if (isHeld) return isHeld
      breaker.begin(caller.organizationId, nowMs())
      const endProbe = pauses.begin(nowMs())
      try {
        const answer = await make()
        learn(caller, answer)
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
    // Between opening and closing it is probed again and again.
    const isNews = isOpen ? state === 'closed' : state !== 'closed'
    isOpen = state !== 'closed'
    log[isNews ? 'warn' : 'debug']({ state }, 'circuit breaker state changed')
  }
}
