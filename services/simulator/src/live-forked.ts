/**
 * A process's life when another process forked it: it says when it is ready, and ends with its
 * parent.
 *
 * SIGINT is left to the parent, which the same Ctrl-C reaches and which then decides.
 */

import { deadlinesMs } from '@einvoicing/kernel/limits'
import type { Log } from '@einvoicing/kernel/log'
import { closeAll, type Closable } from '@einvoicing/kernel/serve'

/** Call before anything is opened: a Ctrl-C during the start must not kill the child alone. */
export function leaveInterruptsToParent(): void {
  process.on('SIGINT', () => undefined)
}

/**
 * Tells the parent the port, waits for SIGTERM or for the parent to go, closes in reverse order of
 * opening, and ends the process.
 */
export async function liveForked(
  port: number,
  opened: readonly Closable[],
  log: Log,
): Promise<void> {
  const asked = new Promise<string>((resolve) => {
    process.once('SIGTERM', () => resolve('SIGTERM'))
    process.once('disconnect', () => resolve('parent gone'))
    // The parent may have gone while this process was starting.
    if (!process.connected) resolve('parent gone')
  })
  if (process.connected) process.send?.({ ready: true, port })
  log.info({ reason: await asked }, 'stopping')
  setTimeout(() => process.exit(1), 2 * deadlinesMs.drain).unref()
  await closeAll(opened, log)
  log.info('stopped')
  process.exit(0)
}
