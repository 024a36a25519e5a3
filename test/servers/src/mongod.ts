/**
 * MongoDB: a replica set of one member, or of more when the primary is to step down.
 */

import { randomBytes } from 'node:crypto'
import { mkdir, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { findFreePort } from './ports'
import { launch, makePlace } from './launch'
import { probeDeadlineMs } from './probes'
import { type Credentials, ReplicaSet, runCommand } from './replica-set'
import { type Server, sharedServer } from './server'

export interface MongodOptions {
  /** Where the data are kept; else a temporary folder, removed by `dispose`. */
  folder?: string
  /** Of the first member; others follow it. Kept data must be started on the port they had. */
  port?: number
  members?: 1 | 3
  /** No replica set: what the service must refuse. */
  standalone?: boolean
  credentials?: Credentials
}

/** Every member at once, unless one of `members` is taken. */
export interface Mongod extends Server {
  /** With the user and password, when they were asked for. */
  url: string
  members: readonly Server[]
  /** Resolves once another member is primary; with one member, once it is primary again. */
  stepDown(): Promise<void>
  /** The member that is primary now, waited for when there is none. */
  primary(): Promise<Server>
}

export async function startMongod(options: MongodOptions = {}): Promise<Mongod> {
  const shared = process.env['TEST_MONGODB_URL']
  if (shared && Object.keys(options).length === 0) return sharedMongod(shared)

  const { folder, ownFolder } = await makePlace('mongod', options.folder)
  const ports = await choosePorts(options)
  const members: Server[] = []
  const dispose = async () => {
    await Promise.all(members.map((member) => member.dispose()))
    if (ownFolder) await rm(folder, { recursive: true, force: true })
  }
  try {
    for (const port of ports) members.push(await startMember(port, folder, options))
    const set = new ReplicaSet(ports, options)
    if (!options.standalone) await set.initiate()
    await set.makeUser()
    return { ...asOne(members, set), dispose }
  } catch (error) {
    await dispose()
    throw error
  }
}

async function choosePorts({ port, members = 1 }: MongodOptions): Promise<number[]> {
  const places = Array.from({ length: members }, (_, index) => index)
  return Promise.all(
    places.map(async (index) => (port === undefined ? findFreePort() : port + index)),
  )
}

async function startMember(port: number, folder: string, options: MongodOptions): Promise<Server> {
  const data = path.join(folder, `mongod-${port}`)
  await mkdir(data, { recursive: true })
  const args = ['--bind_ip', '127.0.0.1', '--port', String(port), '--dbpath', data]
  args.push('--nounixsocket', '--wiredTigerCacheSizeGB', '0.5')
  // By default SIGTERM waits 15 s for others to notice that the primary goes.
  args.push('--setParameter', 'shutdownTimeoutMillisForSignaledShutdown=1000')
  // What only MongoDB's support reads, each second.
  args.push('--setParameter', 'diagnosticDataCollectionEnabled=false')
  // Once a minute it deletes what expired by the real clock; times in tests are fixed and pass.
  if (options.folder === undefined) args.push('--setParameter', 'ttlMonitorEnabled=false')
  if (!options.standalone) args.push('--replSet', ReplicaSet.setName)
  if (options.credentials) args.push(...(await authentication(folder, options)))
  return launch({
    server: 'mongod',
    port,
    args,
    folder,
    ownFolder: false,
    probe: () => runCommand(port, { ping: 1 }, { answerMs: probeDeadlineMs }),
  })
}

/** Members of a set know each other by a key they share; a server by itself needs none. */
async function authentication(folder: string, options: MongodOptions): Promise<string[]> {
  if (options.standalone) return ['--auth']
  const keyFile = path.join(folder, 'members.key')
  const key = randomBytes(48).toString('base64')
  await writeFile(keyFile, key, { mode: 0o400, flag: 'wx' }).catch(unlessItExists)
  return ['--keyFile', keyFile]
}

function unlessItExists(error: NodeJS.ErrnoException): void {
  if (error.code !== 'EEXIST') throw error
}

function asOne(members: readonly Server[], set: ReplicaSet): Omit<Mongod, 'dispose'> {
  const all = (act: (member: Server) => Promise<void>) => async () => {
    await Promise.all(members.map(act))
  }
  const memberAt = (index: number): Server => {
    const member = members[index]
    if (member === undefined) throw new Error(`there is no member ${index}`)
    return member
  }
  const startAll = all((member) => member.start())
  return {
    url: set.url,
    members,
    kill9: all((member) => member.kill9()),
    stop: all((member) => member.stop()),
    pause: all((member) => member.pause()),
    resume: all((member) => member.resume()),
    start: async () => {
      await startAll()
      await set.primary()
    },
    stepDown: () => set.stepDown(),
    primary: async () => memberAt(await set.primary()),
    output: () => members.map((member) => member.output()).join('\n'),
    pid: () => memberAt(0).pid(),
  }
}

function sharedMongod(url: string): Mongod {
  const server = sharedServer('TEST_MONGODB_URL')
  return { ...server, url, members: [], stepDown: server.stop, primary: async () => server }
}
