/**
 * One life of a server, from its start to its end, as a process of ours or in a container.
 */

import { type ServerName } from './catalogue'

export interface Recipe {
  server: ServerName
  port: number
  args: readonly string[]
  env?: Readonly<Record<string, string>>
  /** Where its data are. */
  folder: string
  /** Whether `dispose` removes the folder: not when the data are someone's to keep. */
  ownFolder: boolean
  /** Throws as long as the server does not answer. */
  probe: () => Promise<unknown>
}

export interface Life {
  pid: number
  /** Settled when it is over. */
  ended: Promise<unknown>
  isOver: () => boolean
  signal: (signal: Signal) => Promise<void>
}

export type Signal = 'SIGKILL' | 'SIGTERM' | 'SIGSTOP' | 'SIGCONT'

export type Hear = (text: string) => void
