/**
 * A process's life: runs until it is asked to stop or cannot go on, then closes what was opened,
 * last first.
 *
 * Here is the one place where an error that nothing else caught is logged. What such an error left
 * behind is not known, so the process answers what it has begun, exits, and is started again by
 * whatever runs it.
 */

import { deadlinesMs } from '@einvoicing/domain/limits'
import type { Log } from './log'

export interface Closable {
  close(): Promise<void> | void
}

/** Ends the process because a part of it is broken and only a restart brings it back. */
export type Fail = (error: Error) => void

/** What of `process` a stop needs. */
export interface SignalledProcess {
  on(signal: 'SIGTERM' | 'SIGINT', onSignal: (signal: NodeJS.Signals) => void): unknown
  on(
    event: 'uncaughtException',
    onError: (error: Error, origin: NodeJS.UncaughtExceptionOrigin) => void,
  ): unknown
  exit(code: number): void
}

/** EX_SOFTWARE of sysexits.h; 1 is for what cannot start, which a restart does not help. */
export const failedStatus = 70

// One Ctrl-C may come twice: from the terminal to the whole group, and from npm, which passes it
// on.
const sameSignalMs = 500

/**
 * Opens part by part, then serves until a signal; when a part cannot be opened, closes those before
 * it and throws. A signal that comes while it opens ends it there: a container's first process that
 * does not listen for signals does not even die of them.
 */
export async function openAndServe(
  log: Log,
  open: (opened: Closable[], fail: Fail) => Promise<void>,
  self: SignalledProcess = process,
): Promise<void> {
  const opened: Closable[] = []
  const life = watchLife(self, log)
  try {
    const early = await Promise.race([open(opened, life.fail), life.ended])
    await stopAfter(life, { opened, log, self })
    // What was still being opened is no one's to close.
    if (early) self.exit(0)
  } catch (error) {
    await closeAll(opened, log)
    throw error
  }
}

/**
 * Waits for SIGTERM or SIGINT and closes in reverse order of opening, after which nothing should
 * keep the process alive; what still does is ended with it, and so is all at a second signal.
 */
export async function serveUntilSignal(
  opened: readonly Closable[],
  log: Log,
  self: SignalledProcess = process,
): Promise<void> {
  await stopAfter(watchLife(self, log), { opened, log, self })
}

interface Served {
  opened: readonly Closable[]
  log: Log
  self: SignalledProcess
}

async function stopAfter(life: Life, { opened, log, self }: Served): Promise<void> {
  const reason = await life.ended
  log.info({ reason }, 'stopping')
  const cut = setTimeout(
    () => {
      log.error('did not stop in time, exiting')
      self.exit(life.hasFailed() ? failedStatus : 1)
    },
    life.hasFailed() ? deadlinesMs.drain : 2 * deadlinesMs.drain,
  )
  await closeAll(opened, log)
  cut.unref()
  log.info('stopped')
  if (life.hasFailed()) self.exit(failedStatus)
}

/** `uncaughtException` stands for rejections that no one handles, too: its origin says which. */
export interface Life {
  /** Resolves when the process is to end. */
  ended: Promise<NodeJS.Signals | 'failure'>
  fail: Fail
  hasFailed(): boolean
}

/** From here on an unexpected error is logged and ends the process in order. */
export function watchLife(
  self: Pick<SignalledProcess, 'on' | 'exit'>,
  log: Log,
  { signals = true } = {},
): Life {
  let failed = false
  let stoppingSinceMs: number | undefined
  let end: (reason: NodeJS.Signals | 'failure') => void = () => undefined
  const over = new Promise<NodeJS.Signals | 'failure'>((resolve) => (end = resolve))
  const onSignal = (signal: NodeJS.Signals): void => {
    stoppingSinceMs ??= performance.now()
    end(signal)
    if (performance.now() - stoppingSinceMs > sameSignalMs) self.exit(failed ? failedStatus : 1)
  }
  const failWith = (fields: object, message: string): void => {
    failed = true
    log.fatal(fields, message)
    end('failure')
  }
  if (signals) {
    self.on('SIGTERM', onSignal)
    self.on('SIGINT', onSignal)
  }
  self.on('uncaughtException', (err, origin) => {
    failWith({ err, origin }, 'unexpected error: the process finishes its requests and exits')
  })
  return {
    ended: over,
    fail: (err) =>
      failWith({ err }, 'a component failed: the process finishes its requests and exits'),
    hasFailed: () => failed,
  }
}

/** Closes in reverse order; a part that fails to close does not keep the others open. */
export async function closeAll(opened: readonly Closable[], log: Log): Promise<void> {
  for (const part of [...opened].reverse()) {
    try {
      await part.close()
    } catch (err) {
      log.error({ err }, 'close failed')
    }
  }
}
