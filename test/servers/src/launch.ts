/**
 * Starts, stops and restarts a real server. One that does not answer in time, or ends, is an error
 * with the end of its output.
 */

import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { beginChild } from './child'
import { beginContainer } from './container'
import { within } from './deadline'
import { mustFind } from './finding'
import { type Hear, type Life, type Recipe } from './life'
import { untilFree } from './ports'
import { type Server } from './server'

const portDeadlineMs = 10_000
const readyDeadlineMs = 30_000
const stopDeadlineMs = 30_000
const pollMs = 30
const outputMax = 200_000
const outputShown = 1_500

/** The folder for a server's data: the one that was given, or a temporary one of its own. */
export async function makePlace(
  name: string,
  folder: string | undefined,
): Promise<{ folder: string; ownFolder: boolean }> {
  if (folder !== undefined) return { folder: path.resolve(folder), ownFolder: false }
  return { folder: await mkdtemp(path.join(tmpdir(), `einvoicing-${name}-`)), ownFolder: true }
}

/** Starts it, and resolves once it answers. */
export async function launch(recipe: Recipe): Promise<Server> {
  const server = new Launched(recipe)
  try {
    await server.start()
  } catch (error) {
    await server.dispose()
    throw error
  }
  return server
}

class Launched implements Server {
  readonly #recipe: Recipe
  #life: Life | undefined
  #output = ''

  constructor(recipe: Recipe) {
    this.#recipe = recipe
  }

  readonly start = async () => {
    if (this.#isRunning()) return
    await within(portDeadlineMs, untilFree(this.#recipe.port), () => this.#makeError('is not free'))
    this.#life = await begin(this.#recipe, (text) => {
      this.#output = (this.#output + text).slice(-outputMax)
    })
    await this.#untilReady(this.#life)
  }

  readonly kill9 = async () => {
    await this.#life?.signal('SIGKILL')
    await this.#life?.ended
  }

  readonly stop = async () => {
    const life = this.#life
    if (life === undefined) return
    await this.resume()
    await life.signal('SIGTERM')
    await within(stopDeadlineMs, life.ended, () => this.#makeError('did not end on SIGTERM'))
  }

  readonly pause = async () => this.#life?.signal('SIGSTOP')

  readonly resume = async () => this.#life?.signal('SIGCONT')

  readonly dispose = async () => {
    await this.kill9()
    const { folder, ownFolder } = this.#recipe
    if (ownFolder) await rm(folder, { recursive: true, force: true })
  }

  readonly output = () => this.#output

  readonly pid = () => {
    if (this.#life === undefined || this.#life.isOver()) throw this.#makeError('is not running')
    return this.#life.pid
  }

  #isRunning(): boolean {
    return this.#life !== undefined && !this.#life.isOver()
  }

  async #untilReady(life: Life): Promise<void> {
    const deadline = Date.now() + readyDeadlineMs
    for (;;) {
      const failure = await this.#recipe.probe().then(
        () => undefined,
        (error: unknown) => String(error),
      )
      if (life.isOver()) throw this.#makeError('ended before it answered')
      if (failure === undefined) return
      if (Date.now() > deadline) throw this.#makeError(`did not answer in time (${failure})`)
      await new Promise((resolve) => setTimeout(resolve, pollMs))
    }
  }

  #makeError(what: string): Error {
    const { server, port } = this.#recipe
    const written = this.#output.slice(-outputShown).trim() || 'nothing'
    return new Error(`${server} on port ${port} ${what}; it wrote: ${written}`)
  }
}

function begin(recipe: Recipe, hear: Hear): Promise<Life> {
  const found = mustFind(recipe.server)
  return 'image' in found
    ? beginContainer(found, recipe, hear)
    : beginChild(found.program, recipe, hear)
}
