/**
 * Runs when woken and after each pause. A run that throws is logged as an outage, and retried only
 * after the whole pause, so that an unavailable server is not flooded.
 */

import type { Log } from './log'
import { Outage } from './outage'

/** Thrown by a run that has logged its failures itself. */
export class AlreadyReported extends Error {}

export interface Loop {
  /** During a run: runs once more. */
  wake(): void
  close(): Promise<void>
}

export interface LoopOptions {
  name: string
  pauseMs: number
  /** From a wake to the run, so that one run serves many; default 0. */
  gatherMs?: number | (() => number)
  log: Log
}

export function startLoop(
  { name, pauseMs, gatherMs = 0, log }: LoopOptions,
  run: (closing: () => boolean) => Promise<void>,
): Loop {
  let closing = false
  let woken = false
  let failed = false
  let endPause: (() => void) | undefined
  let endGathering: (() => void) | undefined

  const outage = new Outage({
    log: log.child({ loop: name }),
    startMessage: 'background work failed, retrying',
    endMessage: 'background work recovered',
  })
  const isClosing = () => closing
  const shouldPause = () => !closing && (failed || !woken)
  const gatheringMs = () => {
    if (closing || !woken) return 0
    return typeof gatherMs === 'number' ? gatherMs : gatherMs()
  }
  const runOnce = async (): Promise<'done' | 'failed'> => {
    try {
      await run(isClosing)
      outage.recovered(name)
      return 'done'
    } catch (err) {
      if (!(err instanceof AlreadyReported)) outage.failed(name, { err, againInMs: pauseMs })
      return 'failed'
    }
  }
  const wait = (ms: number, give: (end: () => void) => void): Promise<void> =>
    new Promise((resolve) => {
      const timer = setTimeout(resolve, ms)
      give(() => {
        clearTimeout(timer)
        resolve()
      })
    })

  const ended = (async () => {
    while (!isClosing()) {
      woken = false
      failed = (await runOnce()) === 'failed'
      if (shouldPause()) await wait(pauseMs, (end) => (endPause = end))
      const ms = gatheringMs()
      if (ms > 0) await wait(ms, (end) => (endGathering = end))
    }
  })()

  return {
    wake() {
      woken = true
      if (!failed) endPause?.()
    },
    async close() {
      closing = true
      endPause?.()
      endGathering?.()
      await ended
    },
  }
}
