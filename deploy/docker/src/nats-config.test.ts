import { execFileSync } from 'node:child_process'
import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { jetstreamManager } from '@nats-io/jetstream'
import { connect } from '@nats-io/transport-node'
import { describeWithOwn } from '@einvoicing/servers/describe-with'
import { launch } from '@einvoicing/servers/launch'
import { findFreePort } from '@einvoicing/servers/ports'
import { probeTcp } from '@einvoicing/servers/probes'
import type { Server } from '@einvoicing/servers/server'

const deploy = path.join(__dirname, '..', '..')

describeWithOwn('nats-server', 'NATS of compose', () => {
  let folder: string
  let server: Server
  let port: number
  const secretsFolder = () => path.join(folder, 'run', 'secrets')
  const makeSecrets = () =>
    execFileSync(path.join(deploy, 'docker', 'secrets.sh'), [secretsFolder()])

  // As the containers see them: /etc/nats and /run/secrets.
  beforeAll(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'einvoicing-nats-config-'))
    const settings = path.join(folder, 'etc', 'nats')
    await Promise.all([settings, secretsFolder()].map((one) => mkdir(one, { recursive: true })))
    // An installation of before there were rights.
    await writeFile(path.join(secretsFolder(), 'nats-clearance'), 'kept-from-before')
    await writeFile(path.join(secretsFolder(), 'nats-users'), 'authorization { users: [] }')
    makeSecrets()
    await cp(path.join(deploy, 'nats', 'nats.conf'), path.join(settings, 'server.conf'))
    await cp(path.join(deploy, 'nats', 'rights'), settings, { recursive: true })
    port = await findFreePort()
    const health = await findFreePort()
    const shipped = await readFile(path.join(deploy, 'docker', 'nats.conf'), 'utf8')
    const config = path.join(settings, 'nats.conf')
    await writeFile(config, shipped.replace('8222', String(health)))
    server = await launch({
      server: 'nats-server',
      port,
      args: ['--config', config],
      env: { NATS_LISTEN: `"127.0.0.1:${port}"`, NATS_STORE_DIR: path.join(folder, 'data') },
      folder,
      ownFolder: false,
      probe: () => probeTcp(port, '', /^INFO \{.*"jetstream":true/),
    })
  })
  afterAll(async () => {
    await server.dispose()
    await rm(folder, { recursive: true })
  })

  const enterAs = async (user: string) => {
    const pass = (await readFile(path.join(secretsFolder(), `nats-${user}`), 'utf8')).trim()
    const inboxPrefix = `_INBOX_${user}`
    const connection = await connect({ servers: `127.0.0.1:${port}`, user, pass, inboxPrefix })
    return { connection, jsm: await jetstreamManager(connection, { timeout: 2_000 }) }
  }

  it('knows the users, each with its rights and the password it had', async () => {
    const invoices = await enterAs('invoices')
    const clearance = await enterAs('clearance')
    await invoices.jsm.streams.add({ name: 'einvoicing-clearance', subjects: ['einvoicing.c.>'] })
    await expect(clearance.jsm.streams.info('einvoicing-clearance')).resolves.toBeDefined()
    for (const { jsm } of [invoices, clearance]) {
      await expect(jsm.streams.delete('einvoicing-clearance')).rejects.toThrow()
    }
    await expect(invoices.jsm.streams.info('einvoicing-clearance')).resolves.toBeDefined()
    await Promise.all([invoices, clearance].map(({ connection }) => connection.close()))
    await expect(connect({ servers: `127.0.0.1:${port}` })).rejects.toThrow(/Authorization/i)
  })

  it('keeps its secrets when they are made again', async () => {
    const read = () => readFile(path.join(secretsFolder(), 'nats-users'), 'utf8')
    const before = await read()
    makeSecrets()
    expect(await read()).toBe(before)
    expect(before).toContain('kept-from-before')
  })
})
