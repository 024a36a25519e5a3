import { deadlinesMs } from '@einvoicing/domain/limits'
import type { Log } from '@einvoicing/runtime/log'
import { closeAll, failedStatus, watchLife, type Closable } from '@einvoicing/runtime/serve'

/** A Ctrl-C reaches the parent too, which may still need this process. Call it first. */
export function leaveSignalsToParent(): void {
  process.on('SIGINT', () => undefined)
  process.on('SIGTERM', () => undefined)
}

/** Closes in reverse order of opening when the parent disconnects or an unexpected error occurs. */
export async function runUntilParentEnds(
  port: number,
  opened: readonly Closable[],
  log: Log,
): Promise<void> {
  const life = watchLife(process, log, { signals: false })
  const released = new Promise<void>((resolve) => {
    process.once('disconnect', resolve)
    // The parent may have ended while this process was starting.
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
