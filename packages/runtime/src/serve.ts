// After an uncaught error the state is unknown: the process finishes what it has begun and exits.

import { deadlinesMs } from '@einvoicing/domain/limits'
import type { Log } from './log'

/** What a program ends with: status 1 and one sentence; the stack with `LOG_LEVEL=debug`. */
export function exitOnError(program: Promise<unknown>, environment: NodeJS.ProcessEnv): void {
  program.catch((error: unknown) => {
    const { message, stack } = error as Error
    process.stderr.write(`${environment['LOG_LEVEL'] === 'debug' ? stack : message}\n`)
    process.exit(1)
  })
}

export interface Closable {
  close(): Promise<void> | void
}

export type CloseAtEnd = <T extends Closable>(part: T) => T

export function createCloseAtEnd(opened: Closable[]): CloseAtEnd {
  return (part) => {
    opened.push(part)
    return part
  }
}

export type Fail = (error: Error) => void

export interface SignalledProcess {
  on(signal: 'SIGTERM' | 'SIGINT', onSignal: (signal: NodeJS.Signals) => void): unknown
  on(
    event: 'uncaughtException',
    onError: (error: Error, origin: NodeJS.UncaughtExceptionOrigin) => void,
  ): unknown
  exit(code: number): void
}

/** EX_SOFTWARE of sysexits.h; 1 means that the start failed, which a restart does not fix. */
export const failedStatus = 70

// One Ctrl-C may arrive twice: from the terminal to the group, and from npm, which passes it on.
const sameSignalMs = 500

export interface ServeOptions {
  self?: SignalledProcess
  /** Milliseconds from the signal until it exits with status 1, closed or not. */
  stopMaxMs?: number
}

export const stopMaxMs = 2 * deadlinesMs.drain

/** Handles signals while opening too: as process 1 of a container, SIGTERM would be ignored. */
export async function openAndServe(
  log: Log,
  open: (opened: Closable[], fail: Fail) => Promise<void>,
  { self = process, ...options }: ServeOptions = {},
): Promise<void> {
  const opened: Closable[] = []
  const life = watchLife(self, log)
  try {
    const early = await Promise.race([open(opened, life.fail), life.ended])
    await stopAfter(life, { opened, log, self, ...options })
    // The part still being opened has no one to close it.
    if (early) self.exit(0)
  } catch (error) {
    await closeAll(opened, log)
    throw error
  }
}

/** Exits even if something keeps the process alive; a second signal exits at once. */
export async function serveUntilSignal(
  opened: readonly Closable[],
  log: Log,
  self: SignalledProcess = process,
): Promise<void> {
  await stopAfter(watchLife(self, log), { opened, log, self })
}

interface Served extends ServeOptions {
  opened: readonly Closable[]
  log: Log
  self: SignalledProcess
}

async function stopAfter(life: Life, served: Served): Promise<void> {
  const { opened, log, self, stopMaxMs: withinMs = stopMaxMs } = served
  const reason = await life.ended
  log.info({ reason }, 'stopping')
  const cut = setTimeout(
    () => {
      log.error('did not stop in time, exiting')
      self.exit(life.hasFailed() ? failedStatus : 1)
    },
    life.hasFailed() ? deadlinesMs.drain : withinMs,
  )
  await closeAll(opened, log)
  cut.unref()
  log.info('stopped')
  if (life.hasFailed()) self.exit(failedStatus)
}

export interface Life {
  ended: Promise<NodeJS.Signals | 'failure'>
  fail: Fail
  hasFailed(): boolean
}

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

export async function closeAll(opened: readonly Closable[], log: Log): Promise<void> {
  for (const part of [...opened].reverse()) {
    try {
      await part.close()
    } catch (err) {
      log.error({ err }, 'could not close a component')
    }
  }
}
