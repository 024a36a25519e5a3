/**
 * A real server as a child process of ours, on loopback, with its output kept.
 *
 * Refuses to wait for ever: one that does not answer in time, or ends, is told in a sentence
 * with the last of what it wrote.
 */

import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { type ServerName, binaryOf } from './binaries'
import { untilFree } from './ports'
import { unwatch, watch } from './reaper'
import { type Server } from './server'

const portDeadlineMs = 10_000
const readyDeadlineMs = 30_000
const stopDeadlineMs = 30_000
const pollMs = 30
const outputKept = 200_000
const outputTold = 1_500

export interface Recipe {
  program: ServerName
  port: number
  args: readonly string[]
  env?: Readonly<Record<string, string>>
  /** Removed by `dispose`; undefined when the data are someone's to keep. */
  ownFolder: string | undefined
  /** Throws as long as the server does not answer. */
  probe: () => Promise<unknown>
}

/** The folder for a server's data: the one that was given, or a temporary one of its own. */
export async function makePlace(
  program: string,
  given: string | undefined,
): Promise<{ folder: string; ownFolder: string | undefined }> {
  if (given !== undefined) return { folder: given, ownFolder: undefined }
  const folder = await mkdtemp(path.join(tmpdir(), `einvoicing-${program}-`))
  return { folder, ownFolder: folder }
}

/** Starts it, and resolves once it answers. */
export async function startProcess(recipe: Recipe): Promise<Server> {
  const server = new ServerProcess(recipe)
  try {
    await server.start()
  } catch (error) {
    await server.dispose()
    throw error
  }
  return server
}

class ServerProcess implements Server {
  readonly #recipe: Recipe
  #child: ChildProcess | undefined
  #ended: Promise<unknown> = Promise.resolve()
  #output = ''

  constructor(recipe: Recipe) {
    this.#recipe = recipe
  }

  readonly start = async () => {
    if (this.#isRunning()) return
    await within(portDeadlineMs, untilFree(this.#recipe.port), () => this.#fault('is taken'))
    this.#spawn()
    await this.#untilReady()
  }

  readonly kill9 = async () => {
    this.#child?.kill('SIGKILL')
    await this.#ended
  }

  readonly stop = async () => {
    await this.resume()
    this.#child?.kill('SIGTERM')
    await within(stopDeadlineMs, this.#ended, () => this.#fault('did not end on SIGTERM'))
  }

  readonly pause = async () => void this.#child?.kill('SIGSTOP')

  readonly resume = async () => void this.#child?.kill('SIGCONT')

  readonly dispose = async () => {
    await this.kill9()
    const { ownFolder } = this.#recipe
    if (ownFolder !== undefined) await rm(ownFolder, { recursive: true, force: true })
  }

  readonly output = () => this.#output

  readonly pid = () => {
    const pid = this.#child?.pid
    if (pid === undefined || !this.#isRunning()) throw this.#fault('is not running')
    return pid
  }

  #spawn(): void {
    const { program, args, env } = this.#recipe
    const { PATH = '', HOME = '' } = process.env
    const child = spawn(binaryOf(program), args, {
      env: { PATH, HOME, ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    this.#child = child
    this.#ended = new Promise((resolve) => child.once('exit', resolve).once('error', resolve))
    for (const stream of [child.stdout, child.stderr]) this.#keep(stream)
    const { pid } = child
    if (pid === undefined) return
    watch(pid)
    child.once('exit', () => unwatch(pid))
  }

  async #untilReady(): Promise<void> {
    const deadline = Date.now() + readyDeadlineMs
    for (;;) {
      const failure = await this.#recipe.probe().then(
        () => undefined,
        (error: unknown) => String(error),
      )
      if (!this.#isRunning()) throw this.#fault('ended before it answered')
      if (failure === undefined) return
      if (Date.now() > deadline) throw this.#fault(`did not answer in time (${failure})`)
      await new Promise((resolve) => setTimeout(resolve, pollMs))
    }
  }

  #isRunning(): boolean {
    const child = this.#child
    return child?.pid !== undefined && child.exitCode === null && child.signalCode === null
  }

  #keep(stream: NonNullable<ChildProcess['stdout']>): void {
    stream.setEncoding('utf8')
    stream.on('data', (chunk: string) => {
      this.#output = (this.#output + chunk).slice(-outputKept)
    })
  }

  #fault(what: string): Error {
    const { program, port } = this.#recipe
    const said = this.#output.slice(-outputTold).trim() || 'nothing'
    return new Error(`${program} on port ${port} ${what}; it wrote: ${said}`)
  }
}

async function within<T>(ms: number, work: Promise<T>, fault: () => Error): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(fault()), ms)
  })
  try {
    return await Promise.race([work, late])
  } finally {
    clearTimeout(timer)
  }
}
