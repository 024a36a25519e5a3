/**
 * A process's life when another process forked it: it says when it is ready, and ends with its
 * parent.
 *
 * Signals are left to the parent, which a Ctrl-C or a stop of the whole group reaches too, and
 * which then decides: it may still have invoices under way with us.
 */

import { deadlinesMs } from '@einvoicing/domain/limits'
import type { Log } from '@einvoicing/runtime/log'
import { closeAll, failedStatus, watchLife, type Closable } from '@einvoicing/runtime/serve'

/** Call before anything is opened: a Ctrl-C during the start must not kill the child alone. */
export function leaveSignalsToParent(): void {
  process.on('SIGINT', () => undefined)
  process.on('SIGTERM', () => undefined)
}

/**
 * Tells the parent the port, waits until the parent disconnects or is gone or an unexpected error
 * was logged, closes in reverse order of opening, and ends the process.
 */
export async function runUntilParentEnds(
  port: number,
  opened: readonly Closable[],
  log: Log,
): Promise<void> {
  const life = watchLife(process, log, { signals: false })
  const released = new Promise<void>((resolve) => {
    process.once('disconnect', resolve)
    // The parent may have gone while this process was starting.
    if (!process.connected) resolve()
  })
  if (process.connected) process.send?.({ ready: true, port })
  await Promise.race([released, life.ended])
  log.info('stopping')
  setTimeout(() => process.exit(failedStatus), 2 * deadlinesMs.drain).unref()
  await closeAll(opened, log)
  log.info('stopped')
  process.exit(life.hasFailed() ? failedStatus : 0)
}
