/**
 * The backing services: those whose address is set are used, the others are started here, and again
 * when they end.
 */

import { readFileSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import path from 'node:path'
import type { Log } from '@einvoicing/runtime/log'
import { startMongod } from '@einvoicing/servers/mongod'
import { startNats } from '@einvoicing/servers/nats'
import { startRedis } from '@einvoicing/servers/redis'
import { startMinio } from '@einvoicing/servers/s3'
import type { Server } from '@einvoicing/servers/server'
import type { BackingService } from './config'
import type { Ports } from './ports'
import type { Secrets } from './secrets'

export interface RunningServer {
  name: BackingService
  server: Server
  /** Where the services find it. */
  settings: Record<string, string>
}

export interface ServersFolder {
  dataDir: string
  ports: Ports
  secrets: Secrets
  external: ReadonlySet<BackingService>
}

const bucket = 'einvoicing'

export async function startServers(place: ServersFolder): Promise<RunningServer[]> {
  const { external } = place
  const starts = Object.entries(starters) as [keyof typeof starters, Starter][]
  const missing = starts.filter(([name]) => !external.has(name))
  const started = await Promise.allSettled(
    missing.map(async ([name, start]) => {
      const folder = path.join(place.dataDir, name)
      await mkdir(folder, { recursive: true })
      return { name, ...(await start(folder, place)) }
    }),
  )
  const running = started.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []))
  const failed = started.find((one) => one.status === 'rejected')
  if (!failed) return running
  await stopServers(running)
  throw failed.reason
}

type Starter = (
  folder: string,
  place: ServersFolder,
) => Promise<{ server: Server; settings: Record<string, string> }>

const starters = {
  async mongodb(folder, { ports }) {
    const server = await startMongod({ folder, port: ports.mongodb })
    return { server, settings: { MONGODB_URL: server.url } }
  },
  async nats(folder, { ports }) {
    const server = await startNats({ folder, port: ports.nats })
    return { server, settings: { NATS_URL: server.url } }
  },
  async s3(folder, { ports, secrets }) {
    const secretKey = readFileSync(secrets.s3SecretKeyFile, 'utf8').trim()
    const server = await startMinio({ folder, port: ports.s3, secretKey })
    const settings = {
      S3_URL: server.url,
      S3_BUCKET: bucket,
      S3_REGION: server.region,
      S3_ACCESS_KEY: server.accessKey,
      S3_SECRET_KEY_FILE: secrets.s3SecretKeyFile,
    }
    return { server, settings }
  },
  async redis(_, { ports }) {
    const server = await startRedis({ port: ports.redis })
    return { server, settings: { REDIS_URL: server.url } }
  },
} satisfies Partial<Record<BackingService, Starter>>

export async function stopServers(backingServices: readonly RunningServer[]): Promise<void> {
  await Promise.all(backingServices.map(({ server }) => server.stop()))
}

const lookEveryMs = 500

export function keepRunning(
  backingServices: readonly RunningServer[],
  { log, onStart }: { log: Log; onStart: () => void },
): { close(): Promise<void> } {
  let closed = false
  const isClosed = () => closed
  const watch = async ({ name, server }: RunningServer): Promise<void> => {
    while (!isClosed()) {
      await new Promise((resolve) => setTimeout(resolve, lookEveryMs))
      if (isClosed() || findPid(server) !== undefined) continue
      log.warn({ backingService: name }, 'backing service ended, starting it again')
      try {
        await server.start()
        onStart()
      } catch (err) {
        log.error({ err, backingService: name }, 'backing service does not start')
      }
    }
  }
  const watching = Promise.all(backingServices.map(watch))
  return {
    async close() {
      closed = true
      await watching
    },
  }
}

export function findPid(server: Server): number | undefined {
  try {
    return server.pid()
  } catch {
    return undefined // it is not running
  }
}
