/** A process's life: runs until asked to stop, then closes what was opened, last first. */

import { deadlinesMs } from './limits'
import type { Log } from './log'

export interface Closable {
  close(): Promise<void> | void
}

/** What of `process` a stop needs. */
export interface SignalledProcess {
  on(signal: 'SIGTERM' | 'SIGINT', onSignal: (signal: NodeJS.Signals) => void): unknown
  exit(code: number): void
}

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
  open: (opened: Closable[]) => Promise<void>,
  self: SignalledProcess = process,
): Promise<void> {
  const opened: Closable[] = []
  const signalled = firstSignal(self)
  try {
    const early = await Promise.race([open(opened), signalled])
    await stopAfter(signalled, { opened, log, self })
    // What was still being opened is nobody's to close.
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
  await stopAfter(firstSignal(self), { opened, log, self })
}

interface Served {
  opened: readonly Closable[]
  log: Log
  self: SignalledProcess
}

async function stopAfter(
  signalled: Promise<NodeJS.Signals>,
  { opened, log, self }: Served,
): Promise<void> {
  const signal = await signalled
  log.info({ signal }, 'stopping')
  const cut = setTimeout(() => {
    log.error('did not stop in time')
    self.exit(1)
  }, 2 * deadlinesMs.drain)
  await closeAll(opened, log)
  cut.unref()
  log.info('stopped')
}

function firstSignal(self: SignalledProcess): Promise<NodeJS.Signals> {
  return new Promise((resolve) => {
    let stoppingSinceMs: number | undefined
    const onSignal = (signal: NodeJS.Signals): void => {
      stoppingSinceMs ??= performance.now()
      resolve(signal)
      if (performance.now() - stoppingSinceMs > sameSignalMs) self.exit(1)
    }
    self.on('SIGTERM', onSignal)
    self.on('SIGINT', onSignal)
  })
}

/** Closes in reverse order; a part that fails to close does not keep the others open. */
export async function closeAll(opened: readonly Closable[], log: Log): Promise<void> {
  for (const part of [...opened].reverse()) {
    try {
      await part.close()
    } catch (err) {
      log.error({ err }, 'could not close cleanly')
    }
  }
}
