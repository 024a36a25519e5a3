/**
 * Keeps processes running: each that ends is started again, soon at first, then more slowly; its
 * output goes to a file of its own. They end with us, however we end.
 */

import { spawn, type ChildProcess } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'
import type { Log } from '@einvoicing/runtime/log'
import { stopMaxMs } from '@einvoicing/runtime/serve'
import { unwatch, watch } from '@einvoicing/servers/reaper'
import { v8Flags } from '@einvoicing/servers/v8-flags'
import { lowerPriority } from './lower-priority'

export interface Program {
  name: string
  /** The built main file. */
  file: string
  env: Readonly<Record<string, string>>
  inBackground?: boolean
}

export interface Supervised {
  name: string
  pid(): number | undefined
  /** SIGTERM, and SIGKILL when it does not end in its grace. */
  stop(): Promise<void>
}

export interface SupervisorOptions {
  logDir: string
  log: Log
  onStart: () => void
  /** It ended by itself with status 1, as what cannot start does; with its last line of output. */
  onStartError: (message: string) => void
}

const againMs = { first: 300, max: 10_000, forgottenAfter: 30_000 } as const
/** Later than the process ends by itself. */
const graceMs = stopMaxMs + 2_000

export function supervise(program: Program, options: SupervisorOptions): Supervised {
  const { name } = program
  const { log, onStart, onStartError } = options
  const logFile = path.join(options.logDir, `${name}.log`)
  const output = fs.openSync(logFile, 'a')
  let stopping = false
  let waitMs: number = againMs.first
  let again: NodeJS.Timeout | undefined
  let child: ChildProcess

  const start = (): void => {
    const startedAt = performance.now()
    child = spawn(process.execPath, [...v8Flags, program.file], {
      env: { ...program.env },
      stdio: ['ignore', output, output],
      // In a session of its own: a Ctrl-C is ours to pass on, in order.
      detached: true,
    })
    const { pid } = child
    if (pid !== undefined) watch(pid)
    if (pid !== undefined && program.inBackground) lowerPriority(pid)
    child.once('exit', (code, signal) => {
      if (pid !== undefined) unwatch(pid)
      if (stopping) return
      if (code === 1) onStartError(`${name} does not start: ${readLastLine(logFile)}`)
      if (performance.now() - startedAt > againMs.forgottenAfter) waitMs = againMs.first
      log.warn(
        { process: name, code, signal, againInMs: waitMs },
        'process ended, starting it again',
      )
      again = setTimeout(start, waitMs)
      waitMs = Math.min(againMs.max, 2 * waitMs)
    })
    onStart()
  }
  start()

  return {
    name,
    pid: () => (isRunning(child) ? child.pid : undefined),
    async stop() {
      stopping = true
      clearTimeout(again)
      if (isRunning(child)) await endInTime(child)
      fs.closeSync(output)
    },
  }
}

function readLastLine(file: string): string {
  return fs.readFileSync(file, 'utf8').trimEnd().split('\n').at(-1) ?? ''
}

function isRunning({ pid, exitCode, signalCode }: ChildProcess): boolean {
  return pid !== undefined && exitCode === null && signalCode === null
}

function endInTime(child: ChildProcess): Promise<void> {
  return new Promise((resolve) => {
    const cut = setTimeout(() => child.kill('SIGKILL'), graceMs)
    child.once('exit', () => {
      clearTimeout(cut)
      resolve()
    })
    child.kill('SIGTERM')
  })
}
