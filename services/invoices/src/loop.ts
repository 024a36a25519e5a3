/**
 * A background task that runs when woken and at the latest after a while, one run at a time, until
 * closed.
 *
 * A run that throws is told, once until runs go well again, and tried again after the whole pause,
 * woken or not: the work it left is still in the store, and whatever was unavailable is not
 * hammered.
 */

import type { Log } from '@einvoicing/runtime/log'
import { Outage } from '@einvoicing/runtime/outage'

/** Thrown by a run whose failures were told where they happened. */
export class AlreadyReported extends Error {}

export interface Loop {
  /** Runs soon; woken while at work, it runs once more. */
  wake(): void
  /** Lets the run at work end. */
  close(): Promise<void>
}

export interface LoopOptions {
  name: string
  pauseMs: number
  log: Log
}

/** `run` is told whether to stop early. The first run begins at once. */
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
    startMessage: 'background work fails: it is tried again until it goes well',
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
