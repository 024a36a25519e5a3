import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import net from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { makeAuthority } from '@einvoicing/servers/certificates'
import { describeWithOwn } from '@einvoicing/servers/describe-with'
import { launch } from '@einvoicing/servers/launch'
import { startNats, type Nats } from '@einvoicing/servers/nats'
import { findFreePort } from '@einvoicing/servers/ports'
import { probeTcp } from '@einvoicing/servers/probes'
import type { Server } from '@einvoicing/servers/server'
import { SettingsError } from '@einvoicing/runtime/env'
import { createLog } from '@einvoicing/runtime/log'
import type { BusConfig } from '../config'
import { openBus } from '../open-bus'
import { natsBed, natsConfig } from '../testdata/nats-bed'

const log = createLog('silent')
const secret = 'a password never logged'

async function apiError(config: BusConfig): Promise<string> {
  const refused = await openBus(config, log).then(
    async (bus) => {
      await bus.close()
      return new Error('it was opened')
    },
    (error: unknown) => error as Error,
  )
  expect(refused).toBeInstanceOf(SettingsError)
  expect(refused.message).not.toContain('\n')
  expect(refused.message).not.toContain(secret)
  return refused.message
}

describeWithOwn('nats-server', 'nats bus, where it can never work', () => {
  let folder: string
  let server: Nats
  const started: Server[] = []
  const bed = natsBed(() => server.url)
  beforeAll(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'einvoicing-bus-'))
    server = await startNats()
  })
  afterAll(async () => {
    for (const each of [server, ...started]) await each.dispose()
    await rm(folder, { recursive: true })
  })
  afterEach(() => bed.clear())

  const write = async (name: string, text: string) => {
    const file = path.join(folder, name)
    await writeFile(file, text)
    return file
  }
  const startWith = async (...lines: string[]): Promise<string> => {
    const port = await findFreePort()
    const file = await write(`${port}.conf`, [`listen: "127.0.0.1:${port}"`, ...lines].join('\n'))
    const probe = () => probeTcp(port, '', /^INFO /)
    const args = ['--config', file]
    const recipe = { server: 'nats-server', port, args, folder, ownFolder: false, probe } as const
    started.push(await launch(recipe))
    return `nats://127.0.0.1:${port}`
  }
  const jetStream = () => `jetstream { store_dir: ${JSON.stringify(path.join(folder, 'store'))} }`

  it('rejects wrong credentials, and opens with the right ones', async () => {
    const own = await startNats({ credentials: { user: 'bus', password: 'right' } })
    started.push(own)
    const by = async (password: string) => ({
      credentials: {
        kind: 'password' as const,
        user: 'bus',
        passwordFile: await write('password', password),
      },
    })
    const sentence = /^NATS_URL: the server rejected the user or password; check NATS_USER/
    expect(await apiError(natsConfig(own.url, await by(secret)))).toMatch(sentence)
    expect(await apiError(natsConfig(own.url))).toMatch(sentence)
    const bus = await openBus(natsConfig(own.url, await by('right\n')), log)
    await bus.check()
    await bus.close()
  })

  it('rejects secret files that it cannot read', async () => {
    const passwordFile = path.join(folder, 'absent')
    const credentials = { kind: 'password', user: 'bus', passwordFile } as const
    expect(await apiError(natsConfig(server.url, { credentials }))).toMatch(
      /^NATS_PASSWORD_FILE cannot be read: ENOENT/,
    )
    const file = await write('creds', 'no credentials')
    expect(await apiError(natsConfig(server.url, { credentials: { kind: 'file', file } }))).toMatch(
      /^NATS_CREDENTIALS_FILE: .*creds contains no credentials/,
    )
    const changes = { tls: 'demanded', caFile: passwordFile } as const
    expect(await apiError(natsConfig(server.url, changes))).toMatch(/^NATS_CA_FILE cannot be read/)
  })

  it('rejects a server, and an account, without JetStream', async () => {
    expect(await apiError(natsConfig(await startWith()))).toMatch(/^NATS_URL: .* has no JetStream/)
    const accounts = 'accounts { A { users: [{ user: a, password: a }] } }\nno_auth_user: a'
    expect(await apiError(natsConfig(await startWith(jetStream(), accounts)))).toMatch(
      /^NATS_URL: .*the account of NATS_USER in it, has no JetStream/,
    )
  })

  it('rejects a server that is too old', async () => {
    const old = net.createServer((socket) => {
      socket.write('INFO {"version":"2.9.10","headers":true,"jetstream":true,"max_payload":1}\r\n')
      socket.on('data', (bytes) => {
        if (bytes.includes('PING')) socket.write('PONG\r\n')
      })
      socket.on('error', () => undefined)
    })
    await new Promise<void>((resolve) => old.listen(0, '127.0.0.1', resolve))
    const { port } = old.address() as net.AddressInfo
    expect(await apiError(natsConfig(`nats://127.0.0.1:${port}`))).toMatch(
      /^NATS_URL: nats-server 2.9.10 is too old; 2.10 or newer is needed/,
    )
    old.close()
  })

  it('rejects an untrusted certificate and a server without TLS, and accepts a trusted one', async () => {
    const ours = await makeAuthority('ours')
    const { certificateFile, keyFile, authorityFile } = await ours.issue('nats')
    const pair = [`cert_file: "${certificateFile}"`, `key_file: "${keyFile}"`].join('\n')
    const url = await startWith(jetStream(), `tls { ${pair} }`)
    const others = (await (await makeAuthority('others')).issue('nats')).authorityFile
    const demanded = { tls: 'demanded', caFile: others } as const
    expect(await apiError(natsConfig(url))).toMatch(/^NATS_CA_FILE: .* is not trusted/)
    expect(await apiError(natsConfig(url, demanded))).toMatch(/^NATS_CA_FILE: .* is not trusted/)
    expect(await apiError(natsConfig(server.url, demanded))).toMatch(/the server offers no TLS$/)
    const bus = await openBus(natsConfig(url, { ...demanded, caFile: authorityFile }), log)
    await bus.check()
    await bus.close()
  })

  it('rejects a foreign stream on our subjects, and replicas without a cluster', async () => {
    await bed.bare(({ jsm }) => jsm.streams.add({ name: 'all', subjects: ['einvoicing.>'] }))
    expect(await apiError(natsConfig(server.url))).toMatch(
      /^NATS_URL: JetStream rejected the streams of the event bus: .*overlap/,
    )
    await bed.clear()
    expect(await apiError(natsConfig(server.url, { replicas: 3 }))).toMatch(/^NATS_REPLICAS: /)
  })
})
