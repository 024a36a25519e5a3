/**
 * What all workers of this process share about the platform: the pause it asked for, and a circuit
 * breaker.
 *
 * Refuses a call, without touching the network, while the platform wants a pause or is dead; after
 * a while one call goes through as a probe. Only unclear answers count against the platform: a
 * refusal is an answer.
 */

import {
  CircuitState,
  circuitBreaker,
  handleWhenResult,
  type CircuitBreakerPolicy,
  type IBreaker,
} from 'cockatiel'
import type { Clock } from '@einvoicing/kernel/clock'
import type { Log } from '@einvoicing/kernel/log'
import { breakerState } from '../measures'
import type { Answer } from './authority'

/** Not asked: the platform wants a pause, or does not answer anybody. */
export interface Held {
  kind: 'held'
  reason: string
  /** When asking makes sense again. */
  againInMs: number
}

export interface Guard {
  /** Why no call may be made now, or `undefined`. */
  held(): Held | undefined
  /** Makes the call unless it is held, and learns from its answer. */
  call(invoiceId: string, make: () => Promise<Answer>): Promise<Answer | Held>
}

export interface BreakerOptions {
  /** Different invoices whose calls fail, with no success between, until the breaker opens. */
  failingInvoicesMax: number
  /** From opening until the next probe. */
  openMs: number
}

interface GuardOptions {
  breaker: BreakerOptions
  now: Clock
  log: Log
}

// For a 429 that does not say how long.
const pauseDefaultMs = 5_000

export function openGuard({ breaker: options, now, log }: GuardOptions): Guard {
  const failing = new FailingInvoices(options.failingInvoicesMax)
  const breaker = circuitBreaker(handleWhenResult(isUnclear), {
    halfOpenAfter: options.openMs,
    breaker: failing,
  })
  const openUntil = watchState(breaker, options, log)
  let pausedUntilMs = 0

  const held = (): Held | undefined => {
    const pauseMs = pausedUntilMs - now().getTime()
    if (pauseMs > 0) return { kind: 'held', reason: 'it asked for a pause', againInMs: pauseMs }
    const reason = 'it answered none of the last calls'
    // A second call would wait for the probe, in a slot that other invoices need.
    if (breaker.state === CircuitState.HalfOpen) return { kind: 'held', reason, againInMs: 0 }
    const openMs = breaker.state === CircuitState.Open ? openUntil() - Date.now() : 0
    return openMs > 0 ? { kind: 'held', reason, againInMs: openMs } : undefined
  }

  const learn = (invoiceId: string, answer: Answer): void => {
    if (answer.kind === 'unclear') failing.add(invoiceId)
    const pauseMs = pauseOf(answer)
    if (pauseMs === 0) return
    // Calls under way are answered alike: one pause is told once.
    const isPaused = pausedUntilMs > now().getTime()
    pausedUntilMs = Math.max(pausedUntilMs, now().getTime() + pauseMs)
    log[isPaused ? 'debug' : 'warn']({ pauseMs }, 'the clearance platform asked for a pause')
  }

  return {
    held,
    async call(invoiceId, make) {
      return (
        held() ??
        breaker.execute(async () => {
          const answer = await make()
          learn(invoiceId, answer)
          return answer
        })
      )
    },
  }
}

/**
 * Counts invoices, not calls: one poisoned invoice that fails for ever opens nothing for the
 * others.
 */
class FailingInvoices implements IBreaker {
  state: unknown
  private readonly ids = new Set<string>()
  private readonly max: number

  constructor(max: number) {
    this.max = max
  }

  add(invoiceId: string): void {
    if (this.ids.size < this.max) this.ids.add(invoiceId)
  }

  success(): void {
    this.ids.clear()
  }

  failure(): boolean {
    return this.ids.size >= this.max
  }
}

function isUnclear(answer: unknown): boolean {
  return (answer as Answer).kind === 'unclear'
}

function pauseOf(answer: Answer): number {
  if (answer.kind === 'throttled') return answer.retryAfterMs ?? pauseDefaultMs
  return answer.kind === 'unclear' ? (answer.retryAfterMs ?? 0) : 0
}

const stateNames = {
  [CircuitState.Closed]: 'closed',
  [CircuitState.HalfOpen]: 'half-open',
  [CircuitState.Open]: 'open',
  [CircuitState.Isolated]: 'open',
} as const

/**
 * Tells each change of state, and gives the end of the last opening, in real time as cockatiel
 * measures it.
 */
function watchState(
  breaker: CircuitBreakerPolicy,
  { openMs }: BreakerOptions,
  log: Log,
): () => number {
  let openUntilMs = 0
  let isOpen = false
  const tell = (state: CircuitState): void => {
    for (const name of ['closed', 'half-open', 'open'] as const) {
      breakerState.set({ state: name }, stateNames[state] === name ? 1 : 0)
    }
  }
  tell(CircuitState.Closed)
  breaker.onStateChange((state) => {
    if (state === CircuitState.Open) openUntilMs = Date.now() + openMs
    tell(state)
    // Between opening and closing it is probed again and again.
    const isNews = state === CircuitState.Closed || !isOpen
    isOpen = state !== CircuitState.Closed
    const told = { state: stateNames[state] }
    log[isNews ? 'warn' : 'debug'](told, 'circuit breaker of the clearance platform')
  })
  return () => openUntilMs
}
