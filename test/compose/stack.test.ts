/**
 * The compose stack on a real Docker engine: brought up by its one command, tested by the behaviour
 * suite, its containers killed one by one under load, its failed starts explained.
 */

import { rm, writeFile } from 'node:fs/promises'
import net from 'node:net'
import { createPersistently, type PersistentLoad } from '../faults/persistent-load'
import { expectNothingLost } from '../faults/nothing-lost'
import { submissionTotal } from '../faults/record'
import { eventually } from '@einvoicing/servers/eventually'
import { requestJson, send } from '../stack/http'
import { Invoices, anInvoice } from '../stack/invoices'
import { newOrganization } from '../stack/organization'
import { drawSeed, seededRandom } from '../stack/random'
import { planStack, stackSecrets, type ComposeStack } from './compose-stack'
import { command, crash, docker, readMemory, readState, untilHealthy } from './docker'
import { describeStolenContainers } from './stolen-container'

const minutes = 60_000
const services = ['organizations', 'invoices', 'signer', 'artefacts', 'clearance', 'simulator']
const ours = ['gateway-1', 'gateway-2', ...services]
const backingServices = ['mongodb', 'nats', 'minio', 'valkey']
const report: string[] = []
let stack: ComposeStack

beforeAll(async () => {
  stack = await planStack()
})
afterAll(async () => {
  await stack.dispose()
  process.stderr.write(`\n${report.join('\n')}\n`)
}, 5 * minutes)

const ready = async (url: string) => (await requestJson('GET', `${url}/readyz`)).status === 200
/** What a gateway waits for, from its operations port, which is not published. */
const details = () => {
  const program = ['node', 'deploy/docker/dist/health/main.js', 'http://127.0.0.1:9106/readyz']
  return stack.compose('exec', '-T', 'gateway-1', ...program)
}
const untilReady = () =>
  eventually(async () => {
    for (const url of stack.urls) if (!(await ready(url))) throw new Error(`${url} is not ready`)
  }, 4 * minutes)

function addToReport(what: string, values: Readonly<Record<string, number>>): void {
  const all = Object.entries(values).sort(([one], [other]) => (one < other ? -1 : 1))
  report.push(`${what}: ${all.map(([name, value]) => `${name} ${value}`).join(', ')}`)
}

describe('make up', () => {
  let apiKey = ''

  test('says which port is taken, and what to change', async () => {
    const other = net.createServer().listen(0, '127.0.0.1')
    await new Promise((resolve) => other.once('listening', resolve))
    const { port } = other.address() as net.AddressInfo
    const { status, text } = await stack.up({ GATEWAY_2_PORT: String(port) })
    other.close()
    expect(status).toBe(1)
    expect(text.trim().split('\n')).toEqual([
      expect.stringMatching(`^Port ${port} of this machine is taken: .* in GATEWAY_2_PORT`),
    ])
  })

  test(
    'brings everything up, and prints the first steps',
    async () => {
      const { status, text, tookMs } = await stack.up()
      expect([status, text]).toEqual([0, expect.stringContaining('Your first invoice:')])
      apiKey = /svc_sk_\w+/.exec(text)![0]
      report.push(
        `from make up to ready: ${Math.round(tookMs / 1_000)} s, the image's build included`,
      )
      for (const name of [...ours, ...backingServices]) await untilHealthy(stack.container(name))
      const { id } = await new Invoices(stack.urls[1], apiKey).created()
      expect((await new Invoices(stack.urls[0], apiKey).decided(id)).status).toBe('ACCEPTED')
    },
    30 * minutes,
  )

  test(
    'a second time starts nothing again, and shows no second demo',
    async () => {
      const started = () =>
        Promise.all(ours.map(async (name) => (await readState(stack.container(name))).StartedAt))
      const before = await started()
      const { status, text, tookMs } = await stack.up()
      expect([status, text.includes('Demo organization')]).toEqual([0, false])
      expect(await started()).toEqual(before)
      report.push(`make up once more: ${Math.round(tookMs / 1_000)} s`)
    },
    10 * minutes,
  )

  test(
    'containers are stopped and removed by make down, and all is there after make up',
    async () => {
      expect((await stack.down()).status).toBe(0)
      const left = await docker('ps', '-aq', '--filter', `name=^${stack.project}-`)
      expect(left).toBe('')
      const { status, tookMs } = await stack.up()
      expect(status).toBe(0)
      report.push(`from make up to ready, built before: ${Math.round(tookMs / 1_000)} s`)
      const { data } = await new Invoices(stack.urls[0], apiKey).list()
      expect(data.totalElements).toBe(1)
    },
    15 * minutes,
  )
})

describe('the image', () => {
  const inside = (script: string) =>
    docker('exec', stack.container('gateway-1'), 'node', '-e', script)

  test('holds no shell and no package manager, and nothing of development', async () => {
    const found = await inside(`
      const fs = require('fs')
      const kept = fs.readdirSync('/').filter((name) => !['proc', 'sys', 'dev'].includes(name))
      const inside = (name) => fs.statSync('/' + name).isDirectory()
        ? fs.readdirSync('/' + name, { recursive: true }).map((file) => name + '/' + file)
        : []
      console.log(kept.flatMap(inside).join())`)
    const files = found.split(',')
    const ofPeople = /bin\/(sh|bash|dash|busybox|apt|apt-get|dpkg|npm|npx)$/
    const ofDevelopers = /\.(map|tsx?|mts|cts|test\.js|tsbuildinfo)$|^app\/test\//
    const tools = /node_modules\/(jest|typescript|oxlint|testcontainers)$/
    expect(files).toContain('usr/local/bin/node')
    for (const unwanted of [ofPeople, ofDevelopers, tools]) {
      expect(files.filter((file) => unwanted.test(file))).toEqual([])
    }
  })

  test('runs as an unprivileged user', async () => {
    const status = await inside(`
      const fs = require('fs')
      const attempt = (file) => {
        try { fs.writeFileSync(file, '') } catch (error) { return error.code }
      }
      const [, able] = /CapEff:\\s*(\\w+)/.exec(fs.readFileSync('/proc/self/status', 'utf8'))
      console.log(process.getuid(), attempt('/app/x'), attempt('/x'), able)`)
    expect(status).toBe('65532 EROFS EROFS 0000000000000000')
  })

  test('lists what it is made of', async () => {
    const components = await inside(
      `console.log(require('/app/sbom.cdx.json').components.map((c) => c.name).join())`,
    )
    expect(components.split(',')).toEqual(expect.arrayContaining(['mongoose', 'express', 'libsql']))
    const image = await docker('inspect', stack.container('gateway-1'), '--format', '{{.Image}}')
    const [size, labels] = (
      await docker('inspect', image, '--format', '{{.Size}} {{json .Config.Labels}}')
    ).split(/ (?=\{)/)
    expect(JSON.parse(labels!)).toMatchObject({
      'org.opencontainers.image.version': expect.stringMatching(/^\d+\.\d+\.\d+$/),
      'org.opencontainers.image.revision': expect.stringMatching(/^[0-9a-f]{40}$|^unknown$/),
    })
    report.push(`image: ${Math.round(Number(size) / 1e6)} MB`)
    expect(Number(size)).toBeLessThan(300e6)
  })

  test('can create keys in tokens', async () => {
    expect(await inside(`console.log(typeof require('pkcs11js').PKCS11)`)).toBe('function')
  })

  test('no secret is in the environment or the image of a container', async () => {
    for (const name of [...ours, ...backingServices]) {
      const reported = await docker('inspect', stack.container(name))
      for (const secret of await stackSecrets(stack)) expect(reported).not.toContain(secret)
    }
  })
})

describeStolenContainers(() => stack)

test(
  'the behaviour suite passes against it',
  async () => {
    addToReport('memory at rest, MiB', await readMemory(stack.project))
    const words = ['jest', '--selectProjects', 'e2e', '--reporters', 'default', '-i']
    const { status } = await command('npx', words, {
      STACK_URL: stack.urls[0],
      SIMULATOR_URL: stack.simulatorUrl,
    })
    expect(status).toBe(0)
  },
  30 * minutes,
)

describe('containers killed one by one under load', () => {
  const seed = drawSeed('compose')

  /** Throws until so many more are acknowledged. */
  const progress = async ({ acknowledged }: PersistentLoad, count = 10) => {
    const enough = acknowledged.length + count
    await eventually(async () => expect(acknowledged.length).toBeGreaterThan(enough), 2 * minutes)
  }

  test(
    `nothing answered is lost, everything is accepted, all are healthy again (SEED=${seed})`,
    async () => {
      const organization = await newOrganization({ baseUrl: stack.urls[0] })
      const before = await submissionTotal(stack.simulatorUrl)
      const load = createPersistently({
        urls: stack.urls,
        key: organization.key.key,
        random: seededRandom(seed),
        connections: 4,
        pauseMs: 100,
      })
      await progress(load, 30)
      addToReport('memory under load, MiB', await readMemory(stack.project))
      const backMs: Record<string, number> = {}
      for (const name of seededRandom(seed).shuffled([...ours, ...backingServices])) {
        const container = stack.container(name)
        const { StartedAt: life } = await readState(container)
        const killedAt = performance.now()
        await crash(container)
        await untilHealthy(container, life)
        await progress(load)
        backMs[name] = Math.round(performance.now() - killedAt)
      }
      await load.stop()
      addToReport('killed, healthy again and ten more created within, ms', backMs)
      const made = await expectNothingLost(load, organization, 5 * minutes)
      report.push(`created meanwhile: ${made}; known only by their number: ${load.cut.length}`)
      expect(await submissionTotal(stack.simulatorUrl)).toBe(before + made)
      await untilReady()
      for (const name of [...ours, ...backingServices]) await untilHealthy(stack.container(name))
    },
    60 * minutes,
  )
})

describe('an operator', () => {
  test(
    'stops each of ours in time, and it ends of itself',
    async () => {
      const tookMs: Record<string, number> = {}
      for (const name of ours) {
        const startedAt = performance.now()
        await docker('stop', stack.container(name))
        tookMs[name] = Math.round(performance.now() - startedAt)
        const { ExitCode: code } = await readState(stack.container(name))
        expect([name, code]).toEqual([name, 0])
        await docker('start', stack.container(name))
      }
      addToReport('stopped within, ms', tookMs)
      await untilReady()
    },
    15 * minutes,
  )

  test(
    'starts all but MongoDB, reads who waits for what, and fixes it by starting that alone',
    async () => {
      const { invoices } = await newOrganization({ baseUrl: stack.urls[0] })
      await stack.compose('stop')
      await Promise.all(
        [...ours, 'nats', 'minio', 'valkey'].map((name) => docker('start', stack.container(name))),
      )
      const [url] = stack.urls
      await eventually(async () => {
        expect((await requestJson('GET', `${url}/readyz`)).status).toBe(503)
        expect((await details()).text).toContain('waits for mongodb')
      }, 2 * minutes)
      for (const name of ours) await untilHealthy(stack.container(name))
      expect((await invoices.create(anInvoice())).status).toBe(503)
      await docker('start', stack.container('mongodb'))
      await untilReady()
      for (const name of ours) {
        const { restarts } = await readState(stack.container(name))
        expect([name, restarts]).toEqual([name, 0])
      }
    },
    15 * minutes,
  )

  test(
    'reads what is wrong with a secret, fixes it, changes passwords, and brings it up again',
    async () => {
      await stack.down()
      const [database, events] = ['mongodb-invoices', 'nats-invoices'].map(
        (name) => `${stack.secretsDir}/${name}`,
      )
      await Promise.all([rm(database!), rm(events!)])
      // A password that ends its own quotation.
      await writeFile(events!, 'a"b', { mode: 0o444 })
      const { status, text } = await stack.up()
      expect([status, text]).toEqual([1, expect.stringMatching(/nats says: .*nats-users/)])
      await rm(events!)
      expect((await stack.up()).status).toBe(0)
      const { invoices } = await newOrganization({ baseUrl: stack.urls[0] })
      expect((await invoices.created()).status).toBe('SIGNED')
    },
    15 * minutes,
  )
})

test(
  'Prometheus sees every process, and its rules',
  async () => {
    const prometheus = `http://127.0.0.1:${stack.env['PROMETHEUS_PORT']}`
    expect((await stack.compose('up', '--detach', 'prometheus')).status).toBe(0)
    const query = async (path: string) => {
      const { bytes } = await send('GET', `${prometheus}/api/v1/${path}`)
      return JSON.parse(bytes.toString()).data
    }
    await eventually(async () => {
      const { activeTargets: targets } = await query('targets')
      const seen = targets.map((one: any) => `${one.labels.instance} ${one.health}`).sort()
      expect(seen).toEqual([
        'artefacts:9104 up',
        'clearance:9105 up',
        'gateway-1:9106 up',
        'gateway-2:9106 up',
        'invoices:9102 up',
        'organizations:9101 up',
        'signer:9103 up',
      ])
    }, 2 * minutes)
    expect((await query('rules')).groups.length).toBeGreaterThan(0)
  },
  10 * minutes,
)

test(
  'a key in a SoftHSM token takes the place of the file, and its invoices are accepted',
  async () => {
    const softhsm = { COMPOSE_PROFILES: 'softhsm' }
    await stack.down('--volumes')
    const { status, text } = await stack.up(softhsm)
    expect([status, text]).toEqual([0, expect.stringContaining('Your first invoice:')])
    const invoices = new Invoices(stack.urls[0], /svc_sk_\w+/.exec(text)![0])
    const { id } = await invoices.created()
    expect((await invoices.decided(id)).status).toBe('ACCEPTED')
    const names = await docker(
      'ps',
      '--filter',
      `name=^${stack.project}-signer`,
      '--format',
      '{{.Names}}',
    )
    expect(names).toBe(stack.container('signer-softhsm'))
    expect((await details()).status).toBe(0)
    expect((await requestJson('GET', `${stack.urls[0]}/metrics`)).status).toBe(404)
  },
  20 * minutes,
)
