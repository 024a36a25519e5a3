/** A process's life: runs until asked to stop, then closes what was opened, last first. */

import { deadlinesMs } from './limits'
import type { Log } from './log'

export interface Closable {
  close(): Promise<void> | void
}

/**
 * Waits for SIGTERM or SIGINT, closes in reverse order of opening, and ends the process; a second
 * signal ends it at once.
 */
export async function serveUntilSignal(opened: readonly Closable[], log: Log): Promise<void> {
  const signal = await new Promise<NodeJS.Signals>((resolve) => {
    process.once('SIGTERM', resolve)
    process.once('SIGINT', resolve)
  })
  log.info({ signal }, 'stopping')
  process.once('SIGINT', () => process.exit(1))
  const cut = setTimeout(() => {
    log.error('did not stop in time')
    process.exit(1)
  }, 2 * deadlinesMs.drain)
  await closeAll(opened, log)
  clearTimeout(cut)
  log.info('stopped')
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
