/** Queued work of documents: organizations take turns, with a few documents each. */

import { setTimeout as wait } from 'node:timers/promises'
import { AlreadyReported, startLoop, type Loop } from '@einvoicing/runtime/loop'
import type { Deps } from './deps'
import type { RequestsFirst } from './requests-first'
import type { QueuedWork, Position, Queue } from './store/store'

const pauseMs = 5_000
const gatherMs = 100
const atOnceMax = 20
const turnLength = 8
/** While requests have priority. */
const smallTurn = 4
/** An organization with more in progress waits; the page taken before may bring it to 14. */
const ofOneMax = 6
const clockToleranceMs = 60_000
/** A close waits for attempts; what they leave is done after the next start. */
const closeWaitMs = 8_000
/** After a search that found nothing, so that the next one finds what several answers made due. */
const nextSearchMs = 100
/** Between searches for work that a clock that was set back put too far ahead. */
const horizonEveryMs = 60_000
/** Work that is due again, or that another process left, wakes no one. */
const searchAgainMs = 5_000

export interface TurnOptions {
  name: string
  queue: Queue
  /** A next attempt that is later comes from a clock that was set back. */
  longestPauseMs: number
  /** Other processes do not take the work in this time. */
  leaseMs: number
  /** Of a run that was stopped. */
  stopMessage: string
}

export type TurnDeps = Pick<Deps, 'store' | 'now' | 'log'> & { requests: RequestsFirst }

type Attempt = (work: QueuedWork) => Promise<void>

/** `stop` leaves the rest of the run for later, after the pause. */
export function startTurns(
  deps: TurnDeps,
  options: TurnOptions,
  beginRun: (stop: () => void) => Attempt,
): Loop {
  const turns = new WorkTurns(deps, options)
  const { name, stopMessage } = options
  const loop = startLoop({ name, pauseMs, gatherMs, log: deps.log }, async (closing) => {
    const isRunEnded = await turns.run(
      beginRun(() => turns.endRun()),
      closing,
    )
    if (isRunEnded) throw new AlreadyReported(stopMessage)
  })
  return {
    wake() {
      turns.wake()
      loop.wake()
    },
    close() {
      turns.close()
      return loop.close()
    },
  }
}

class WorkTurns {
  private readonly deps: TurnDeps
  private readonly underway = new Map<Position, QueuedWork>()
  private after = ''
  private horizonSearchedAtMs = -Infinity
  private isRunEnded = false
  private isWoken = false
  private endWait: (() => void) | undefined
  private isCloseOver = false
  private noteEnd: () => void = () => undefined
  private readonly options: TurnOptions

  constructor(deps: TurnDeps, options: TurnOptions) {
    this.deps = deps
    this.options = options
  }

  /** True when it was stopped before everything due was done. */
  async run(attempt: Attempt, closing: () => boolean): Promise<boolean> {
    this.isRunEnded = false
    const running = new Set<Promise<void>>()
    let failure: Error | undefined
    const start = (work: QueuedWork) => {
      this.underway.set(work.position, work)
      const attempted: Promise<void> = attempt(work)
        .catch((error: unknown) => {
          failure ??= error as Error
          this.endRun()
        })
        .finally(() => {
          this.underway.delete(work.position)
          running.delete(attempted)
          this.noteEnd()
        })
      running.add(attempted)
    }
    try {
      while (!closing() && this.mayGoOn()) {
        // A page costs as much for one as for many.
        if (atOnceMax - running.size < turnLength) {
          await this.untilOneEnds()
          continue
        }
        const busy = this.busyOrganizations()
        const isSmall = await this.deps.requests.giveWay(closing)
        this.isWoken = false
        const taken = await this.take(busy, isSmall ? smallTurn : turnLength)
        taken.forEach(start)
        if (taken.length > 0) continue
        if (running.size === 0) break
        await this.waitForMore(running, busy.length)
      }
    } finally {
      while (running.size > 0 && !this.isCloseOver) await this.untilOneEnds()
    }
    if (failure) throw failure
    return this.isRunEnded
  }

  /** More may be due than what the last search found. */
  wake(): void {
    this.isWoken = true
    this.endWait?.()
  }

  /** Before the loop closes. */
  close(): void {
    const end = () => {
      this.isCloseOver = true
      this.noteEnd()
    }
    setTimeout(end, closeWaitMs).unref()
    this.wake()
  }

  /** No race with a promise that outlives the run: each race would stay in memory with it. */
  private async untilOneEnds(): Promise<void> {
    if (!this.isCloseOver) await new Promise<void>((resolve) => (this.noteEnd = resolve))
  }

  /** Nothing else is due: until an attempt ends, work is written, or some time has passed. */
  private async waitForMore(running: ReadonlySet<Promise<void>>, busyCount: number): Promise<void> {
    const nextSearch = wait(nextSearchMs)
    const woken = new Promise<void>((resolve) => (this.endWait = resolve))
    if (this.isWoken) this.endWait?.()
    const timer = setTimeout(() => this.endWait?.(), searchAgainMs)
    const over = Promise.all([woken, nextSearch])
    let ended: unknown
    do ended = await Promise.race([...running, over])
    while (ended === undefined && this.busyOrganizations().length >= Math.max(1, busyCount))
    clearTimeout(timer)
    if (busyCount === 0) await nextSearch
  }

  private mayGoOn(): boolean {
    return !this.isRunEnded
  }

  endRun(): void {
    this.isRunEnded = true
  }

  private async take(except: string[], count: number): Promise<QueuedWork[]> {
    const nowMs = this.deps.now().getTime()
    const at = (ms: number) => new Date(nowMs + ms).toISOString()
    const { queue, longestPauseMs, leaseMs } = this.options
    const isHorizonDue = Math.abs(nowMs - this.horizonSearchedAtMs) >= horizonEveryMs
    const taken = await this.deps.store.takeWork({
      queue,
      now: at(0),
      ...(isHorizonDue && { horizon: at(longestPauseMs + clockToleranceMs) }),
      leaseUntil: at(leaseMs),
      after: this.after,
      except,
      underway: [...this.underway.keys()],
      count,
    })
    if (isHorizonDue && taken.length === 0) this.horizonSearchedAtMs = nowMs
    // Without work, the turns begin again.
    this.after = taken[0]?.organizationId ?? ''
    return taken
  }

  private busyOrganizations(): string[] {
    const counts = new Map<string, number>()
    for (const { organizationId } of this.underway.values()) {
      counts.set(organizationId, (counts.get(organizationId) ?? 0) + 1)
    }
    return [...counts].filter(([, count]) => count > ofOneMax).map(([id]) => id)
  }
}
