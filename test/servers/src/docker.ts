/**
 * Which servers Docker can run for us: its images are pulled, and each is tried once.
 *
 * Refuses a daemon that is of no use to us: on another machine, or one whose containers do not
 * meet us on our network and in our folders.
 */

import { existsSync } from 'node:fs'
import { mkdir, rm, writeFile } from 'node:fs/promises'
import { ImageName, getContainerRuntimeClient } from 'testcontainers'
import { type ServerName, catalogue } from './catalogue'
import { within } from './deadline'
import { cache, imageNote } from './finding'
import { startMongod } from './mongod'
import { startNats } from './nats'
import { findFreePort } from './ports'
import { startRedis } from './redis'
import { startMinio, startVersitygw } from './s3'
import { type Server } from './server'

const answerDeadlineMs = 10_000
const pullDeadlineMs = 5 * 60_000

type Docker = Awaited<ReturnType<typeof getContainerRuntimeClient>>

// A port is asked for so that none of them is a shared one.
const starts: Record<ServerName, (port: number) => Promise<Server>> = {
  mongod: (port) => startMongod({ port }),
  'nats-server': (port) => startNats({ port }),
  minio: (port) => startMinio({ port }),
  versitygw: (port) => startVersitygw({ port }),
  'redis-server': (port) => startRedis({ port }),
}

/** Undefined when none is on this machine, or this is not Linux: containers share our network. */
export async function reachDocker(): Promise<Docker | undefined> {
  if (process.platform !== 'linux') return undefined
  const late = () => new Error('Docker does not answer')
  const docker = await within(answerDeadlineMs, getContainerRuntimeClient(), late).catch(
    () => undefined,
  )
  return docker?.info.containerRuntime.host === 'localhost' ? docker : undefined
}

/** From now on the server is found in Docker; throws when it cannot be. */
export async function holdInDocker(docker: Docker, server: ServerName): Promise<void> {
  const { name } = catalogue[server].image
  const image = ImageName.fromString(name)
  const isThere = await docker.image.exists(image)
  if (isThere && existsSync(imageNote(server))) return
  const late = () => new Error(`${name} was not pulled within ${pullDeadlineMs / 60_000} minutes`)
  if (!isThere) await within(pullDeadlineMs, docker.image.pull(image), late)
  await mkdir(cache, { recursive: true })
  await writeFile(imageNote(server), name)
  const started = await starts[server](await findFreePort())
  await started.dispose()
}

export const leaveDocker = (server: ServerName) => rm(imageNote(server), { force: true })
