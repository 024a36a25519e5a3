/**
 * Runs a task when woken, and at the latest after a pause; never two runs at once.
 *
 * A run that throws is logged once until a run succeeds, and retried only after the whole pause,
 * even if woken, so that an unavailable server is not flooded.
 */

import type { Log } from './log'
import { Outage } from './outage'

/** Thrown by a run that has logged its failures itself. */
export class AlreadyReported extends Error {}

export interface Loop {
  /** During a run: once more afterwards. */
  wake(): void
  close(): Promise<void>
}

export interface LoopOptions {
  name: string
  pauseMs: number
  log: Log
}

export function startLoop(
  { name, pauseMs, log }: LoopOptions,
  run: (closing: () => boolean) => Promise<void>,
): Loop {
  let closing = false
  let woken = false
  let failed = false
  let endPause: (() => void) | undefined

  const outage = new Outage({
    log: log.child({ loop: name }),
    startMessage: 'background work failed, retrying',
    endMessage: 'background work goes well again',
  })
  const isClosing = () => closing
  const shouldPause = () => !closing && (failed || !woken)
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
  const pause = (): Promise<void> =>
    new Promise((resolve) => {
      const timer = setTimeout(resolve, pauseMs)
      endPause = () => {
        clearTimeout(timer)
        resolve()
      }
    })

  const ended = (async () => {
    while (!isClosing()) {
      woken = false
      failed = (await runOnce()) === 'failed'
      if (shouldPause()) await pause()
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
      await ended
    },
  }
}
