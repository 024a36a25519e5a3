import type { Readable } from 'node:stream'
import type { ClientSettings, EinvoicingClient } from '@einvoicing/client'
import type { ExitCode } from './outcome'
import type { Environment } from './settings'
import type { Terminal } from './terminal'

export interface Surroundings {
  env: Environment
  stdin: Readable
  terminal: Terminal
  /** Ctrl-C, once; a second one ends the process. */
  onInterrupt(act: () => void): void
}

export interface Run extends Surroundings {
  isJson: boolean
  interrupted: AbortSignal
  /** Calls are aborted by Ctrl-C, unless `others` has another signal. */
  connect(others?: Partial<ClientSettings>): EinvoicingClient
  endWith(code: ExitCode): void
}

export async function adviseIfInterrupted<Result>(
  { interrupted, terminal }: Run,
  request: Promise<Result>,
  advice: string,
): Promise<Result> {
  try {
    return await request
  } catch (error) {
    if (interrupted.aborted) terminal.printMessage(advice)
    throw error
  }
}

/** Wraps an action so that its first argument is the run. */
export type Action = <Arguments extends unknown[]>(
  act: (run: Run, ...rest: Arguments) => Promise<void>,
) => (...rest: Arguments) => Promise<void>
