/**
 * A background task that runs when woken and at the latest after a while, one run at a time, until closed.
 *
 * A run that throws is logged and tried again after the whole pause, woken or not: the work it left is still in the store, and
 * whatever was away is not hammered.
 */

import type { Log } from '@einvoicing/kernel/log'

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
  const closing = new AbortController()
  let wake = new AbortController()

  const runOnce = async (): Promise<'done' | 'failed'> => {
    try {
      await run(() => closing.signal.aborted)
      return 'done'
    } catch (err) {
      log.warn({ err, loop: name, againInMs: pauseMs }, 'background run failed, will run again')
      return 'failed'
    }
  }

  const ended = (async () => {
    while (!closing.signal.aborted) {
      wake = new AbortController()
      const outcome = await runOnce()
      const cutShort = outcome === 'done' ? [closing.signal, wake.signal] : [closing.signal]
      await pause(pauseMs, cutShort)
    }
  })()

  return {
    wake: () => wake.abort(),
    async close() {
      closing.abort()
      await ended
    },
  }
}

function pause(ms: number, cutShort: readonly AbortSignal[]): Promise<void> {
  return new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer)
      for (const signal of cutShort) signal.removeEventListener('abort', end)
      resolve()
    }
    const timer = setTimeout(end, ms)
    for (const signal of cutShort) signal.addEventListener('abort', end)
    if (cutShort.some(({ aborted }) => aborted)) end()
  })
}
