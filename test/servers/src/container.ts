/**
 * A server in a container, by Testcontainers: each life is a container of its own over the same
 * folder.
 *
 * It shares our network, our user and our temporary folder, so that addresses, ports and files are
 * as those of a process: this is for Linux only.
 */

import { tmpdir } from 'node:os'
import { type Readable } from 'node:stream'
import { type ContainerRuntimeClient } from 'testcontainers'
import { type Hear, type Life, type Recipe, type Signal } from './life'

export interface Image {
  image: string
  program?: string
}

export async function beginContainer(image: Image, recipe: Recipe, hear: Hear): Promise<Life> {
  const { GenericContainer, Wait, getContainerRuntimeClient } = await import('testcontainers')
  const { folder, args, env = {} } = recipe
  const container = new GenericContainer(image.image)
    .withNetworkMode('host')
    .withUser(`${process.getuid?.() ?? 0}:${process.getgid?.() ?? 0}`)
    // A test's certificates and configuration lie beside the data, in the temporary folder.
    .withBindMounts([folder, tmpdir()].map((place) => ({ source: place, target: place })))
    .withWorkingDir(folder)
    .withEnvironment({ HOME: folder, ...env })
    .withCommand([...args])
    .withWaitStrategy(Wait.forListeningPorts())
    .withLogConsumer((stream: Readable) =>
      stream.on('data', (chunk: Buffer) => hear(String(chunk))),
    )
  if (image.program) container.withEntrypoint([image.program])
  const id = (await container.start()).getId()

  const { container: containers } = await getContainerRuntimeClient()
  return inspectLife(containers.getById(id))
}

type Held = ReturnType<ContainerRuntimeClient['container']['getById']>

async function inspectLife(held: Held): Promise<Life> {
  let over = false
  const ended = held
    .wait()
    .then(() => held.remove({ force: true, v: true }))
    .catch(() => undefined)
    .finally(() => (over = true))
  const { State } = await held.inspect()
  return {
    pid: State.Pid,
    ended,
    isOver: () => over,
    signal: async (signal) => {
      if (!over) await send(held, signal)
    },
  }
}

/** Docker refuses what is so already; and what is paused may not hear even SIGKILL. */
async function send(held: Held, signal: Signal): Promise<void> {
  const isPaused = (await held.inspect()).State.Paused
  if (signal === 'SIGSTOP') {
    if (!isPaused) await held.pause()
    return
  }
  if (signal !== 'SIGCONT') await held.kill({ signal })
  if (isPaused) await held.unpause().catch(() => undefined)
}
