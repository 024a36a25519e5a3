/** One run of one command: what surrounds it, and what it is given. */

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

/** What a command is given beside its own arguments. */
export interface Run extends Surroundings {
  isJson: boolean
  /** Ctrl-C. */
  interrupted: AbortSignal
  /** Its calls end with Ctrl-C, unless `others` has another signal. */
  connect(others?: Partial<ClientSettings>): EinvoicingClient
  /** What the process is to end with, where it is not 0. */
  endWith(code: ExitCode): void
}

/** Wraps an action, so that it gets its run as the first argument. */
export type Action = <Arguments extends unknown[]>(
  act: (run: Run, ...rest: Arguments) => Promise<void>,
) => (...rest: Arguments) => Promise<void>
