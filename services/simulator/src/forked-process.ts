import { deadlinesMs } from '@einvoicing/domain/limits'
import type { Log } from '@einvoicing/runtime/log'
import { closeAll, failedStatus, watchLife, type Closable } from '@einvoicing/runtime/serve'

/**
 * Signals are left to the parent, which receives a Ctrl-C too and may still have submissions in
 * flight here. Call before anything is opened.
 */
export function leaveSignalsToParent(): void {
  process.on('SIGINT', () => undefined)
  process.on('SIGTERM', () => undefined)
}

/**
 * Sends the port to the parent, waits until the parent disconnects or ends or an unexpected error
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
