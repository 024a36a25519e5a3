/**
 * NATS with JetStream, under the configuration we ship (`nats.conf`).
 */

import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { findFreePort } from './ports'
import { probeTcp } from './probes'
import { launch, makePlace } from './launch'
import { type Server, sharedServer } from './server'

const shipped = path.join(__dirname, '../../../deploy/nats/nats.conf')
const rights = path.join(__dirname, '../../../deploy/nats/rights')

export interface NatsOptions {
  /** Where the streams are kept; else a temporary folder, removed by `dispose`. */
  folder?: string
  port?: number
  credentials?: { user: string; password: string }
  /** The services' users by name, each with its password and the rights it has in `nats-rights`. */
  users?: Readonly<Record<string, string>>
}

export interface Nats extends Server {
  /** Without user and password. */
  url: string
  /** With the server ended, removes every stream and consumer, as a lost disk would. */
  deleteStore(): Promise<void>
}

export async function startNats(options: NatsOptions = {}): Promise<Nats> {
  const shared = process.env['TEST_NATS_URL']
  if (shared && Object.keys(options).length === 0) {
    const server = sharedServer('TEST_NATS_URL')
    return { ...server, url: shared, deleteStore: server.stop }
  }
  const { folder, ownFolder } = await makePlace('nats', options.folder)
  const port = options.port ?? (await findFreePort())
  const store = path.join(folder, 'jetstream')
  await mkdir(store, { recursive: true })
  const server = await launch({
    server: 'nats-server',
    port,
    args: ['--config', await writeConfig(folder, { ...options, port, store })],
    folder,
    ownFolder,
    // The port opens after the streams were recovered.
    probe: () => probeTcp(port, '', /^INFO \{.*"jetstream":true/),
  })
  const deleteStore = async () => {
    await server.kill9()
    await rm(store, { recursive: true, force: true })
  }
  return { ...server, url: `nats://127.0.0.1:${port}`, deleteStore }
}

interface Place extends NatsOptions {
  port: number
  store: string
}

async function writeConfig(folder: string, place: Place): Promise<string> {
  const { port, store, credentials, users } = place
  const file = path.join(folder, 'nats.conf')
  const lines = [
    `NATS_LISTEN: ${quote(`127.0.0.1:${port}`)}`,
    `NATS_STORE_DIR: ${quote(store)}`,
    await readFile(shipped, 'utf8'),
  ]
  if (credentials) {
    const { user, password } = credentials
    lines.push(`authorization { user: ${quote(user)}, password: ${quote(password)} }`)
  }
  if (users) {
    const toRightsFile = (name: string) => path.relative(folder, path.join(rights, `${name}.conf`))
    const each = Object.entries(users).map(
      ([name, password]) =>
        `{ user: ${quote(name)}, password: ${quote(password)}, include ${quote(toRightsFile(name))} }`,
    )
    lines.push(`authorization { users: [\n${each.join('\n')}\n] }`)
  }
  await writeFile(file, `${lines.join('\n')}\n`, { mode: 0o600 })
  return file
}

const quote = (text: string) => JSON.stringify(text)
