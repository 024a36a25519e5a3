/**
 * A server in a container, by Testcontainers: each life is a container of its own over the same
 * folder.
 *
 * It shares our network and our user, so that addresses, ports and files are as those of a process:
 * this is for Linux only.
 */

import { type Readable } from 'node:stream'
import { type Hear, type Life, type Recipe } from './life'

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
    .withBindMounts([{ source: folder, target: folder }])
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
  const held = containers.getById(id)
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
      if (over) return
      if (signal === 'SIGSTOP') await held.pause()
      else if (signal === 'SIGCONT') await held.unpause()
      else await held.kill({ signal })
    },
  }
}
