/**
 * What we built as a child process: its output kept for anyone who must explain a
 * failure, its end awaited.
 */

import { type ChildProcess, spawn } from 'node:child_process'
import { appendFile, existsSync } from 'node:fs'
import path from 'node:path'
import { unwatch, watch } from '@einvoicing/servers/reaper'
import { v8Flags } from '@einvoicing/servers/v8-flags'

const mainFiles = {
  standalone: 'deploy/standalone/dist/main.js',
  services: 'test/processes/dist/main.js',
  gateway: 'gateway/dist/main.js',
  organizations: 'services/organizations/dist/main.js',
  invoices: 'services/invoices/dist/main.js',
  signer: 'services/signer/dist/main.js',
  artefacts: 'services/artefacts/dist/main.js',
  clearance: 'services/clearance/dist/main.js',
  simulator: 'services/simulator/dist/main.js',
}
const outputMax = 200_000

export interface Ended {
  code: number | null
  signal: NodeJS.Signals | null
  /** From the signal, or the start, to the end. */
  elapsedMs: number
  stdout: string
  stderr: string
}

export interface ServiceProcess {
  pid: number
  /** Settled when the process is gone. */
  ended: Promise<Ended>
  isRunning(): boolean
  signal(signal: NodeJS.Signals): Promise<Ended>
  output(): string
}

export interface SpawnOptions {
  /** The whole in one process, unless said. */
  main?: keyof typeof mainFiles
  /** Settings; of our own environment only what a process needs to run at all is handed on. */
  env: Readonly<Record<string, string>>
  /** A command to run Node under: `['prlimit', '--fsize=1000000']`. */
  under?: readonly string[]
  /** The program of another Node than the one that runs the tests. */
  node?: string
}

export function spawnService({
  main = 'standalone',
  env,
  under = [],
  node,
}: SpawnOptions): ServiceProcess {
  const program = node === undefined ? [process.execPath, ...v8Flags] : [node]
  const [command, ...args] = [...under, ...program, findMain(__dirname, mainFiles[main])]
  const { PATH = '', HOME = '' } = process.env
  const child = spawn(command, args, {
    env: { PATH, HOME, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  if (child.pid === undefined) throw new Error(`could not start ${command}`)
  // A run that is broken off, even by SIGKILL, must not leave services behind.
  const { pid } = child
  watch(pid)
  child.once('exit', () => unwatch(pid))
  const file = findOutputFile(`${pid}-${main}`)
  const stdout = collect(child.stdout, file)
  const stderr = collect(child.stderr, file)
  let since = Date.now()
  const ended = new Promise<Ended>((resolve) => {
    child.once('close', (code, signal) =>
      resolve({
        code,
        signal,
        elapsedMs: Date.now() - since,
        stdout: stdout.text(),
        stderr: stderr.text(),
      }),
    )
  })
  const isRunning = () => child.exitCode === null && child.signalCode === null
  return {
    pid,
    ended,
    isRunning,
    signal(signal) {
      since = Date.now()
      if (isRunning()) child.kill(signal)
      return ended
    },
    output: () => `${stdout.text()}${stderr.text()}`,
  }
}

// This file runs as it is under Jest, and built, one folder deeper, for the benchmark.
function findMain(folder: string, mainFile: string): string {
  const file = path.join(folder, mainFile)
  if (existsSync(file)) return file
  const parent = path.dirname(folder)
  if (parent === folder) throw new Error(`${mainFile} is not built: run npm run build`)
  return findMain(parent, mainFile)
}

/** For `test/jest/logged-meanwhile.js`; undefined outside a run of Jest. */
function findOutputFile(name: string): string | undefined {
  const folder = process.env['TEST_OUTPUT']
  return folder === undefined ? undefined : path.join(folder, name)
}

function collect(stream: NonNullable<ChildProcess['stdout']>, file: string | undefined) {
  let output = ''
  stream.setEncoding('utf8')
  stream.on('data', (chunk: string) => {
    output = (output + chunk).slice(-outputMax)
    if (file !== undefined) appendFile(file, chunk, () => undefined)
  })
  return { text: () => output }
}
