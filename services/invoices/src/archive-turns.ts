/** Organizations take turns, with a few artefacts each. */

import { setTimeout as wait } from 'node:timers/promises'
import { longestPauseMs } from './archive-attempts'
import type { Deps } from './deps'
import type { RequestsFirst } from './requests-first'
import type { ArchiveWork, Position, Queue } from './store/store'

const atOnceMax = 20
const turnLength = 8
/** While requests have priority. */
const smallTurn = 4
/** Artefacts of one organization at a time. */
const ofOneMax = 6
/** Longer than a usual attempt; other processes do not take the work in this time. */
const leaseMs = 20_000
const clockToleranceMs = 60_000
/** After a search that found nothing, so that the next one finds what several answers made due. */
const nextSearchMs = 100
/** Between searches for work that a clock that was set back put too far ahead. */
const horizonEveryMs = 60_000
/** Evidence waits for what authorities publish, and for a certificate to be replaced. */
const longestPausesMs: Readonly<Record<Queue, number>> = {
  archive: longestPauseMs,
  'time-stamps': longestPauseMs,
  evidence: 2 * 86_400_000,
}

type TurnDeps = Pick<Deps, 'store' | 'now'> & { requests: RequestsFirst }

export class ArchiveTurns {
  private readonly deps: TurnDeps
  private readonly underway = new Map<Position, ArchiveWork>()
  private after = ''
  private horizonSearchedAtMs = -Infinity
  private isStopped = false
  private noticed: Promise<boolean> | undefined
  private readonly queue: Queue

  constructor(deps: TurnDeps, queue: Queue) {
    this.deps = deps
    this.queue = queue
  }

  /** True when it was stopped before everything due was done. */
  async run(
    archive: (work: ArchiveWork) => Promise<void>,
    closing: () => boolean,
  ): Promise<boolean> {
    this.isStopped = false
    this.noticed = undefined
    const running = new Set<Promise<void>>()
    let failure: Error | undefined
    const start = (work: ArchiveWork) => {
      this.underway.set(work.position, work)
      const attempt: Promise<void> = archive(work)
        .catch((error: unknown) => {
          failure ??= error as Error
          this.stop()
        })
        .finally(() => {
          this.underway.delete(work.position)
          running.delete(attempt)
        })
      running.add(attempt)
    }
    try {
      // Archiving may take longer than the stop may; the rest is done after the next start.
      while (!closing() && this.mayGoOn()) {
        // A page costs as much for one as for many.
        while (atOnceMax - running.size < turnLength) await Promise.race(running)
        const busy = this.busyOrganizations()
        const isSmall = await this.deps.requests.giveWay(closing)
        const taken = await this.take(busy, isSmall ? smallTurn : turnLength)
        taken.forEach(start)
        if (taken.length > 0) continue
        if (running.size === 0) break
        // Nothing else is due.
        const nextSearch = busy.length === 0 ? wait(nextSearchMs) : undefined
        do await Promise.race(running)
        while (this.busyOrganizations().length >= Math.max(1, busy.length))
        await nextSearch
      }
    } finally {
      await Promise.all(running)
    }
    if (failure) throw failure
    return this.isStopped
  }

  private mayGoOn(): boolean {
    return !this.isStopped
  }

  stop(): void {
    this.isStopped = true
  }

  /** Asks once per run, however many artefacts fail. */
  once(look: () => Promise<boolean>): Promise<boolean> {
    return (this.noticed ??= look())
  }

  private async take(except: string[], count: number): Promise<ArchiveWork[]> {
    const nowMs = this.deps.now().getTime()
    const at = (ms: number) => new Date(nowMs + ms).toISOString()
    const isHorizonDue = Math.abs(nowMs - this.horizonSearchedAtMs) >= horizonEveryMs
    const taken = await this.deps.store.takeArchiveWork({
      queue: this.queue,
      now: at(0),
      ...(isHorizonDue && { horizon: at(longestPausesMs[this.queue] + clockToleranceMs) }),
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
