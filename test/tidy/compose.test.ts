/** What operators are promised of the containers is held by the files they are made from. */

import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, readdirSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { secretFileName } from '@einvoicing/rpc/caller-secrets'
import { deadlinesMs } from '@einvoicing/domain/limits'
import { pairs } from '@einvoicing/rpc/who-may-call'
import { catalogue } from '@einvoicing/servers/catalogue'
import { parse } from 'yaml'
import { read, root } from './tree'

interface Container {
  image: string
  user: string
  restart: string
  read_only: boolean
  cap_drop: string[]
  security_opt: string[]
  mem_limit: string
  pids_limit: number
  stop_grace_period: string
  logging: { options: Record<string, string> }
  privileged?: boolean
  profiles?: string[]
  environment?: Record<string, string>
  entrypoint?: string[]
  command?: string[]
  secrets?: string[]
  networks?: string[] | Record<string, unknown>
  network_mode?: string
  ports?: string[]
  volumes?: string[]
  healthcheck?: { test: string[]; interval: string; start_period: string }
  depends_on?: Record<string, { condition: string; required?: boolean }>
}

interface ComposeFile {
  services: Record<string, Container>
  secrets: Record<string, { file: string }>
  networks: Record<string, { internal?: boolean } | null>
  volumes: Record<string, unknown>
}

const text = read('docker-compose.yml')
// Its aliases are ours, and many.
const parsed = parse(text, { merge: true, maxAliasCount: -1 }) as ComposeFile
const { services, secrets, networks, volumes } = parsed
const containers = Object.entries(services)
const isOnce = ({ restart }: Container) => restart === 'no'
const isOurs = ({ image }: Container) => image.startsWith('einvoicing')

/** The names of those that break a rule. */
const breaking = (keeps: (container: Container, name: string) => boolean) =>
  containers.filter(([name, container]) => !keeps(container, name)).map(([name]) => name)

describe('every container of docker-compose.yml', () => {
  test('has two gateways, each service, each backing service', () => {
    const packages = readdirSync(join(root, 'services'))
    const backingServices = ['mongodb', 'nats', 'minio', 'valkey', 'prometheus', 'grafana']
    const wanted = ['gateway-1', 'gateway-2', ...packages, 'signer-softhsm', ...backingServices]
    expect(wanted.filter((name) => !services[name])).toEqual([])
  })

  test('has a pinned version, the same as in the tests', () => {
    const version = /:(v|RELEASE\.)?\d+[.-]\d+[\w.-]*$|:\$\{EINVOICING_VERSION:-\d+\.\d+\.\d+\}$/
    expect(breaking(({ image }) => version.test(image))).toEqual([])
    for (const [name, server] of [
      ['mongodb', 'mongod'],
      ['nats', 'nats-server'],
      ['minio', 'minio'],
    ] as const) {
      // One that has a shell, for the health check.
      expect(services[name]?.image.replace(/-alpine$/, '')).toBe(catalogue[server].image.name)
    }
  })

  test('is named by digest as by tag, where a digest is known', () => {
    const pinned = (parse(read('deploy/docker/digests.yml')) as ComposeFile).services
    for (const [name, { image }] of Object.entries(pinned)) {
      expect(image).toMatch(/@sha256:[0-9a-f]{64}$/)
      expect(image.replace(/@.*$/, '')).toBe(services[name]?.image)
    }
    expect(Object.keys(pinned)).toEqual(['mongodb', 'minio'])
  })

  test('is hardened: no root, no capability, nothing to write on, bounded', () => {
    expect(breaking(({ user }) => /^[1-9]\d*:[1-9]\d*$/.test(user))).toEqual([])
    expect(breaking(({ read_only: readOnly }) => readOnly)).toEqual([])
    expect(breaking(({ cap_drop: dropped }) => String(dropped) === 'ALL')).toEqual([])
    expect(breaking((one) => one.security_opt.includes('no-new-privileges:true'))).toEqual([])
    expect(breaking(({ privileged }) => privileged === undefined)).toEqual([])
    expect(breaking(({ mem_limit: limit }) => /^\d+[mg]$/.test(limit))).toEqual([])
    expect(breaking(({ pids_limit: limit }) => limit > 0)).toEqual([])
    expect(breaking(({ logging }) => 'max-size' in logging.options)).toEqual([])
  })

  test('may drain longer than the services take', () => {
    const slowest = (2 * deadlinesMs.drain) / 1_000
    const grace = (one: Container) => Number(/^(\d+)s$/.exec(one.stop_grace_period)?.[1])
    expect(breaking((one) => grace(one) > slowest)).toEqual([])
  })

  test('has a health check and is started again, unless it runs once', () => {
    expect(breaking((one) => isOnce(one) || one.restart === 'unless-stopped')).toEqual([])
    expect(breaking((one) => isOnce(one) !== Boolean(one.healthcheck?.test.length))).toEqual([])
  })

  test('waits until its dependencies are healthy or done', () => {
    const wrong = containers.flatMap(([name, { depends_on: needed = {} }]) =>
      Object.entries(needed)
        .filter(([other, { condition }]) => {
          const once = isOnce(services[other]!)
          return condition !== (once ? 'service_completed_successfully' : 'service_healthy')
        })
        .map(([other]) => `${name} → ${other}`),
    )
    // Who makes the replica set cannot wait until it has a primary.
    expect(wrong).toEqual(['mongodb-users → mongodb'])
  })

  test('is published on loopback alone, at a port that can be changed', () => {
    const ports = containers.flatMap(([, { ports: published = [] }]) => published)
    const movable = /^127\.0\.0\.1:\$\{[A-Z0-9_]+_PORT:-\d+\}:\d+$/
    expect(ports.filter((port) => !movable.test(port))).toEqual([])
    expect(breaking((one) => !one.ports || !isOurs(one) || !isOnce(one))).toEqual([])
    const published = containers.filter(([, one]) => one.ports && !one.profiles)
    expect(published.map(([name]) => name)).toEqual(['gateway-1', 'gateway-2', 'simulator'])
  })
})

test('containers that are run by hand take options, and the program is that of the image', () => {
  const [image] = /(?<=^ENTRYPOINT )\[.*\]$/m.exec(read('Dockerfile'))!
  const node = JSON.parse(image) as string[]
  const byHand = containers.filter(([, { profiles = [] }]) => profiles.includes('audit'))
  expect(byHand.map(([name]) => name)).toEqual(['audit-invoices', 'audit-organizations'])
  for (const [name, { entrypoint = [], command }] of byHand) {
    const log = name.replace('audit-', '')
    const program = ['deploy/admin/dist/main.js', 'audit', 'verify', '--log', log]
    // `docker compose run` replaces the command by what follows the name.
    expect([name, entrypoint, command]).toEqual([name, [...node, ...program], undefined])
  }
})

test('deploy/docker/README.md lists every container', () => {
  const listed = /^## What runs\n[^]*?(?=^## )/m.exec(read('deploy/docker/README.md'))?.[0] ?? ''
  expect(Object.keys(services).filter((name) => !listed.includes(`\`${name}\``))).toEqual([])
})

describe('secrets', () => {
  const asFile = /^\/run\/secrets\/([\w-]+)$/

  /** `gateway-2` is a gateway, and of its pairs. */
  const ofPairs = (name: string, { environment = {} }: Container) =>
    environment['CALLER_SECRETS_DIR'] === '/run/secrets'
      ? pairs
          .filter((pair) => [pair.caller, pair.called].some((one) => name.split('-')[0] === one))
          .map(secretFileName)
      : []

  test('are files of the one folder, never in the compose file', () => {
    const files = Object.entries(secrets).map(([name, { file }]) => [name, file])
    const folder = '${EINVOICING_SECRETS:?run make up first}'
    expect(files).toEqual(Object.keys(secrets).map((name) => [name, `${folder}/${name}`]))
    const suspect = /PASSWORD|SECRET|PIN|TOKEN|PEPPER|PRIVATE/
    const reported = containers.flatMap(([name, { environment = {} }]) =>
      Object.entries(environment)
        .filter(([variable, value]) => suspect.test(variable) && !asFile.test(value))
        .filter(([variable]) => variable !== 'CALLER_SECRETS_DIR')
        // The name of a file, from the environment.
        .filter(([variable, value]) => value !== `\${${variable}:-}` || !variable.endsWith('_FILE'))
        .filter(([, value]) => value !== '' && !value.startsWith('$$__file{/run/secrets/'))
        .map(([variable, value]) => `${name}: ${variable}=${value}`),
    )
    // A name, for whom the pattern takes it for more.
    const label = /^(signer-softhsm|token): PKCS11_TOKEN_LABEL=/
    expect(reported.filter((line) => !label.test(line))).toEqual([])
    expect(text).not.toMatch(/\/\/[^/\s@$]+:[^/\s@$]+@/)
  })

  test('go to whom they are named for, and to no one else', () => {
    for (const [name, one] of containers) {
      const { secrets: given = [], environment = {}, command = [] } = one
      const words = [
        ...Object.values(environment),
        ...command.map((word) => word.split('=').at(-1)!),
      ]
      const inSettings = words.flatMap((word) => asFile.exec(word)?.[1] ?? [])
      const named = [...inSettings, ...ofPairs(name, one)]
      if (isOurs(one)) expect([name, new Set(given)]).toEqual([name, new Set(named)])
      else expect([name, given.length <= 1]).toEqual([name, true])
    }
    const used = new Set(containers.flatMap(([, { secrets: given = [] }]) => given))
    expect([...used].sort()).toEqual(Object.keys(secrets).sort())
  })

  test('are created once by secrets.sh, in a private folder', () => {
    const folder = mkdtempSync(join(tmpdir(), 'einvoicing-secrets-'))
    const place = join(folder, 'secrets')
    const make = () => execFileSync(join(root, 'deploy/docker/secrets.sh'), [place])
    const all = () => readdirSync(place).map((name) => readFileSync(join(place, name), 'utf8'))
    try {
      make()
      expect(readdirSync(place).sort()).toEqual(Object.keys(secrets).sort())
      expect(statSync(place).mode & 0o777).toBe(0o700)
      expect(all().filter((secret) => secret.length < 32)).toEqual([])
      const before = all()
      rmSync(join(place, 'session'), { force: true })
      make()
      const changed = readdirSync(place).filter((_, index) => all()[index] !== before[index])
      expect(changed).toEqual(['session'])
    } finally {
      rmSync(folder, { recursive: true, force: true })
    }
  })
})

test('every setting that a container of ours is given is in the table of README.md', () => {
  const known = new Set(
    [...read('README.md').matchAll(/`([A-Z][A-Z0-9_]+)`/g)].map(([, name]) => name),
  )
  const given = containers.filter(([, one]) => isOurs(one))
  const names = new Set(given.flatMap(([, { environment = {} }]) => Object.keys(environment)))
  // SoftHSM's own, read by its library.
  expect([...names].filter((name) => !known.has(name))).toEqual(['SOFTHSM2_CONF'])
})

test('networks join those who have an arrow between them in the picture, and no others', () => {
  const observers = new Set(['prometheus', 'grafana', 'jaeger'])
  const listNetworks = ({ networks: joined = [] }: Container) =>
    Array.isArray(joined) ? joined : Object.keys(joined)
  const meets = (name: string) => {
    const own = new Set(listNetworks(services[name]!))
    return containers
      .filter(([other, one]) => other !== name && !isOnce(one) && !observers.has(other))
      .filter(([, one]) => listNetworks(one).some((network) => own.has(network)))
      .map(([other]) => other)
      .sort()
  }
  const gateways = ['gateway-1', 'gateway-2']
  const signers = ['signer', 'signer-softhsm']
  const picture: Record<string, string[]> = {
    'gateway-1': ['gateway-2', 'artefacts', 'invoices', 'organizations', 'valkey'],
    'gateway-2': ['gateway-1', 'artefacts', 'invoices', 'organizations', 'valkey'],
    organizations: [...gateways, 'artefacts', 'mongodb'],
    invoices: [...gateways, ...signers, 'artefacts', 'clearance', 'mongodb', 'nats'],
    signer: ['invoices', 'signer-softhsm'],
    'signer-softhsm': ['invoices', 'signer'],
    artefacts: [...gateways, 'invoices', 'minio', 'organizations', 'simulator'],
    clearance: ['invoices', 'nats', 'simulator'],
    simulator: ['artefacts', 'clearance'],
    mongodb: ['invoices', 'organizations'],
    nats: ['clearance', 'invoices'],
    minio: ['artefacts'],
    valkey: gateways,
  }
  const seen = Object.keys(picture).map((name) => [name, meets(name)])
  expect(seen).toEqual(Object.entries(picture).map(([name, others]) => [name, others.sort()]))
  const open = Object.entries(networks).filter(([, network]) => network?.internal !== true)
  expect(open.map(([name]) => name)).toEqual([
    ...['edge', 'platform', 'time-stamps', 'mail', 'observability'],
  ])
})

test('every volume is used, and every file that is mounted is there', () => {
  const mounted = containers
    .flatMap(([, one]) => one.volumes ?? [])
    .map((one) => one.split(':')[0]!)
  const named = mounted.filter((name) => !name.startsWith('./'))
  expect([...new Set(named)].sort()).toEqual(Object.keys(volumes).sort())
  const files = [...text.matchAll(/(?:\bfile: |- \.\/)([\w./-]+)/g)].map(([, file]) => file!)
  expect(files.length).toBeGreaterThan(3)
  for (const file of files) expect(statSync(join(root, file))).toBeDefined()
})

test('one version is named everywhere', () => {
  const { version } = JSON.parse(read('package.json')) as { version: string }
  const named = [
    ...text.matchAll(/EINVOICING_VERSION:-([^}]+)\}/g),
    ...read('Dockerfile').matchAll(/^ARG VERSION=(.*)$/gm),
    ...read('deploy/docker/README.md').matchAll(/einvoicing:(\d[\d.]*)/g),
  ].map(([, found]) => found)
  expect(named.length).toBeGreaterThan(4)
  expect(new Set(named)).toEqual(new Set([version]))
})

describe('Dockerfile', () => {
  const lines = read('Dockerfile').split('\n')
  const withWord = (word: string) => lines.filter((line) => line.startsWith(`${word} `))

  test('needs no builder but the plain one, and pins what it starts from', () => {
    expect(lines.filter((line) => /^# *syntax=|--mount|--link|<<E/.test(line))).toEqual([])
    const stages = withWord('FROM').flatMap((line) => / AS (\S+)$/.exec(line)?.[1] ?? [])
    const bases = withWord('FROM').map((line) => line.split(' ')[1]!)
    const others = bases.filter((base) => base !== 'scratch' && !stages.includes(base))
    expect(others).toEqual([expect.stringMatching(/^node:\d+\.\d+\.\d+-bookworm$/)])
  })

  test('ships the Node that .nvmrc names and that tests start the service on', () => {
    const shipped = /^FROM node:([\d.]+)-/m.exec(lines.join('\n'))?.[1]
    const fetched = /^fetch_shipped_node[^}]*?version=([\d.]+)/m.exec(
      read('test/provision.sh'),
    )?.[1]
    expect([read('.nvmrc').trim(), fetched]).toEqual([shipped, shipped])
  })

  test('runs as a numeric user that is not root, the one compose names', () => {
    expect(withWord('USER')).toEqual(['USER 65532:65532'])
    expect(new Set(containers.map(([, { user }]) => user))).toEqual(new Set(['65532:65532']))
  })

  test('gets only named environment variables', () => {
    const rules = read('.dockerignore').split('\n')
    expect(rules.filter((line) => line !== '' && !line.startsWith('#'))[0]).toBe('*')
    const allowed = rules.filter((line) => line.startsWith('!'))
    expect(allowed.filter((line) => /data|secret|\.env|\.git/.test(line))).toEqual([])
    // The plain builder never looks into a folder that is let in by a wildcard alone.
    expect(allowed.filter((line) => line.includes('*'))).toEqual([])
  })

  test('installs every workspace', () => {
    const { packages } = JSON.parse(read('package-lock.json')) as { packages: object }
    const workspaces = Object.keys(packages).filter((name) => !/^$|node_modules/.test(name))
    const copied = withWord('COPY').map((line) => line.split(' ')[1])
    const wanted = workspaces.map((name) => `${name}/package.json`)
    expect(wanted.filter((name) => !copied.includes(name))).toEqual([])
    expect(copied.filter((name) => /\/package\.json$/.test(name!)).length).toBe(wanted.length)
  })
})

const fetched = join(root, '.cache', 'tools', 'docker-compose', 'bin', 'docker-compose')
const words = [fetched, 'docker-compose', 'docker compose'].find(
  (name) => spawnSync(`${name} version`, { shell: true }).status === 0,
)

;(words ? describe : describe.skip)('compose itself', () => {
  const send = (env: Record<string, string>, format = '-q') =>
    spawnSync(`${words} --profile '*' config ${format}`, {
      cwd: root,
      shell: true,
      encoding: 'utf8',
      // No .env of this folder has a say.
      env: { ...process.env, COMPOSE_DISABLE_ENV_FILE: '1', ...env },
    })

  test('takes the file', () => {
    const { status, stderr } = send({ EINVOICING_SECRETS: './data/compose/secrets' })
    expect([status, stderr]).toEqual([0, ''])
  })

  test('gives organizations alone the mail server, empty where it is unset', () => {
    const mail = {
      SMTP_URL: 'smtps://einvoicing@mail.example.com',
      SMTP_PASSWORD_FILE: '/mail/password',
      MAIL_FROM: 'invoices@example.com',
    }
    const unset = { SMTP_URL: '', SMTP_PASSWORD_FILE: '', MAIL_FROM: '' }
    const listMail = (env: Record<string, string>) => {
      const { stdout } = send({ EINVOICING_SECRETS: './secrets', ...env }, '--format json')
      const rendered = (JSON.parse(stdout) as ComposeFile).services
      return Object.entries(rendered).flatMap(([name, { environment = {} }]) => {
        const given = Object.entries(environment).filter(([setting]) => setting in mail)
        return given.length > 0 ? [[name, Object.fromEntries(given)]] : []
      })
    }
    // The demonstration has the settings of organizations, and leaves mail to it.
    expect(listMail(mail)).toEqual([
      ['demo', unset],
      ['organizations', mail],
    ])
    expect(listMail(unset)).toEqual([
      ['demo', unset],
      ['organizations', unset],
    ])
  })

  test('says in one line what to do where there are no secrets', () => {
    const { status, stderr } = send({ EINVOICING_SECRETS: '' })
    expect(status).not.toBe(0)
    // From version 5 on it repeats the line for each secret.
    const lines = stderr.trim().split('\n')
    const sentences = new Set(lines.map((line) => line.replace(/^.*secrets\.[\w-]+\.file"?: /, '')))
    expect([...sentences]).toEqual([expect.stringMatching(/run make up first$/)])
  })
})
