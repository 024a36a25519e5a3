/** Each service, given what its pod is given, finds all its settings and none invalid. */

import { readFileSync } from 'node:fs'
import path from 'node:path'
import { readArtefactsConfig } from '@einvoicing/artefacts/config'
import { readClearanceConfig } from '@einvoicing/clearance/config'
import { readGatewayConfig } from '@einvoicing/gateway/config'
import { readInvoicesConfig } from '@einvoicing/invoices/config'
import { ownAddresses } from '@einvoicing/runtime/address'
import { readBusConfig } from '@einvoicing/events/config'
import { EnvReader } from '@einvoicing/runtime/env'
import { readTlsConfig } from '@einvoicing/rpc/tls'
import { readOrganizationsConfig } from '@einvoicing/organizations/config'
import { readSignerConfig } from '@einvoicing/signer/config'
import { readSimulatorConfig } from '@einvoicing/simulator/config'
import { readTrustConfig } from '@einvoicing/verification/trusted-certificates'
import { parse } from 'yaml'
import {
  buildOverlay,
  buildStoresOfThree,
  ofKind,
  workloads,
  type Overlay,
  type Workload,
} from './manifests'

interface ComposeFile {
  services: Record<string, { environment: Record<string, string>; volumes?: string[] }>
}

const overlays = [buildOverlay('local'), buildOverlay('production'), buildStoresOfThree()]
const read = (file: string) => readFileSync(path.join(__dirname, '../..', file), 'utf8')
const compose = parse(read('docker-compose.yml'), {
  merge: true,
  maxAliasCount: -1,
}) as ComposeFile
const settings = new Set(
  [...read('README.md').matchAll(/^\|((?: `[A-Z][A-Z0-9_]+`)+) \|/gm)].flatMap((row) =>
    [...row[1]!.matchAll(/`([A-Z0-9_]+)`/g)].map((match) => match[1]!),
  ),
)

// As each package's main.ts reads them, which runs when it is imported.
const readers: Record<string, (env: EnvReader, dataDir: string | undefined) => unknown> = {
  gateway: (env, dataDir) => readGatewayConfig(env, dataDir),
  organizations: (env, dataDir) => readOrganizationsConfig(env, dataDir),
  invoices: (env, dataDir) => [readInvoicesConfig(env, dataDir), readBusConfig(env)],
  signer: (env, dataDir) => readSignerConfig(env, dataDir),
  artefacts: (env, dataDir) => readArtefactsConfig(env, dataDir),
  clearance: (env) => [readClearanceConfig(env, ''), readBusConfig(env)],
  simulator: (env) => readSimulatorConfig(env),
}

const calls: Record<string, string[]> = {
  gateway: ['organizations', 'invoices', 'artefacts'],
  organizations: ['artefacts'],
  invoices: ['signer', 'artefacts'],
  clearance: ['invoices'],
}

function readEnvironment(overlay: Overlay, { pod }: Workload): Record<string, string> {
  const [{ env = [], envFrom = [] }] = pod.containers as [Workload['pod']['containers'][number]]
  const maps = envFrom.map(({ configMapRef }) => {
    const map = ofKind(overlay, 'ConfigMap').find(
      ({ metadata }) => metadata.name === configMapRef?.name,
    )
    if (!map) throw new Error(`there is no ConfigMap ${configMapRef?.name}`)
    return map.data ?? {}
  })
  const values = env.map(({ name, value = '' }) => [name, value] as const)
  return Object.assign({}, ...maps, Object.fromEntries(values)) as Record<string, string>
}

const cases = overlays.flatMap((overlay) =>
  workloads(overlay)
    .filter(({ name }) => name in readers)
    .map((workload) => ({ overlay, workload, of: overlay.name, name: workload.name })),
)

describe.each(cases)('$name in $of', ({ overlay, workload, name }) => {
  const environment = readEnvironment(overlay, workload)

  test('finds what it needs', () => {
    const env = new EnvReader(environment)
    readers[name]!(env, env.optionalText('DATA_DIR'))
    readTlsConfig(env)
    expect(() => env.throwErrors()).not.toThrow()
    if (name !== 'simulator') expect(environment).toHaveProperty('CALLER_SECRETS_DIR')
  })

  test('has no variable that is no setting', () => {
    expect(settings.size).toBeGreaterThan(40)
    expect(Object.keys(environment).filter((setting) => !settings.has(setting))).toEqual([])
  })

  test('listens on its ports, and calls the addresses of the others', () => {
    const ports = workload.pod.containers[0]!.ports!.map(({ containerPort }) => containerPort)
    const listens = [
      'RPC_ADDRESS',
      'HEALTH_ADDRESS',
      'OPERATIONS_ADDRESS',
      'PORT',
      'SIMULATOR_PORT',
    ].flatMap((setting) => {
      const value = environment[setting]
      return value === undefined ? [] : [Number(value.split(':').at(-1))]
    })
    expect(listens.sort()).toEqual(ports.sort())
    for (const peer of calls[name] ?? []) {
      const port = ownAddresses[peer as 'invoices'].rpc.split(':').at(-1)
      expect(environment[`${peer.toUpperCase()}_ADDRESS`]).toBe(`${peer}:${port}`)
    }
  })

  test('every file in its settings is mounted', () => {
    const mounts = workload.pod.containers[0]!.volumeMounts!.map(({ mountPath }) => mountPath)
    const files = Object.entries(environment).filter(([setting]) =>
      /_FILE$|_SECRETS_DIR$|CERTIFICATES$/.test(setting),
    )
    const lost = files.filter(
      ([, file]) => ![file, path.posix.dirname(file)].some((place) => mounts.includes(place)),
    )
    expect(lost).toEqual([])
  })
})

/** The settings of a service and where its files are, in compose and in every overlay. */
function findPlaces(service: string) {
  const { environment, volumes = [] } =
    compose.services[service] ?? compose.services[`${service}-1`]!
  const mounts = volumes.map((volume) => volume.split(':')[1]!)
  return [
    { of: 'compose', environment, mounts },
    ...cases
      .filter(({ name }) => name === service)
      .map(({ of, overlay, workload }) => ({
        of,
        environment: readEnvironment(overlay, workload),
        mounts: workload.pod.containers[0]!.volumeMounts!.map(({ mountPath }) => mountPath),
      })),
  ]
}

// The rest of what it reads, the service reads too: deploy/admin/src/recover-services.ts.
describe('`recover`, in invoices', () => {
  test.each(findPlaces('invoices'))('of $of, finds its settings', ({ environment, mounts }) => {
    const env = new EnvReader(environment)
    const { file = '' } = readTrustConfig(env, env.optionalText('DATA_DIR'))
    expect(mounts).toContain(path.posix.dirname(file))
  })

  test.each(overlays)('of $name, trusts what the archive trusts', (overlay) => {
    const findTrust = (service: string) => {
      const { pod } = workloads(overlay).find(({ name }) => name === service)!
      const isTrust = ({ name }: { name: string }) => name === 'trust'
      return [pod.volumes?.filter(isTrust), pod.initContainers?.filter(isTrust)]
    }
    expect(findTrust('invoices')).toEqual(findTrust('artefacts'))
  })
})

test.each(findPlaces('organizations'))(
  'organizations of $of reads the password of a mail server',
  ({ of, environment, mounts }) => {
    const folder = of === 'compose' ? '/mail' : '/run/secrets/smtp'
    expect(mounts).toContain(folder)
    const env = new EnvReader({
      ...environment,
      PUBLIC_URL: 'https://invoices.example.com',
      SMTP_URL: 'smtps://einvoicing@mail.example.com',
      SMTP_PASSWORD_FILE: `${folder}/password`,
      MAIL_FROM: 'invoices@example.com',
    })
    readers['organizations']!(env, undefined)
    expect(env.secretFiles.get('SMTP_PASSWORD_FILE')).toBe(`${folder}/password`)
  },
)

test.each(findPlaces('artefacts'))(
  'artefacts of $of reads the roots and the password of a time-stamp authority',
  ({ of, environment, mounts }) => {
    const folder = of === 'compose' ? '/time-stamps' : '/run/secrets/tsa'
    expect(mounts).toContain(folder)
    const env = new EnvReader({
      ...environment,
      TSA_URL: 'https://tsa.example.com',
      TSA_TRUSTED_CERTIFICATES_FILE: `${folder}/roots.pem`,
      TSA_USERNAME: 'einvoicing',
      TSA_PASSWORD_FILE: `${folder}/password`,
    })
    expect(readers['artefacts']!(env, undefined)).toMatchObject({
      evidence: { timeStamps: { trustedCertificatesFile: `${folder}/roots.pem` } },
    })
    expect(env.secretFiles.get('TSA_PASSWORD_FILE')).toBe(`${folder}/password`)
  },
)

test('what the settings of the overlay production offer is a setting, and its files are mounted', () => {
  const folder = 'deploy/k8s/overlays/production/settings'
  for (const name of ['artefacts', 'organizations']) {
    const { mounts } = findPlaces(name).find(({ of }) => of === 'production')!
    const offered = [...read(`${folder}/${name}.env`).matchAll(/^# ([A-Z_]+)=(.*)$/gm)]
    expect(offered.length).toBeGreaterThan(2)
    for (const [, setting = '', value = ''] of offered) {
      expect(settings).toContain(setting)
      if (setting.endsWith('_FILE')) expect(mounts).toContain(path.posix.dirname(value))
    }
  }
})

test.each(['compose', 'production'])('links of %s begin with one address', (place) => {
  const findUrl = (service: string) =>
    findPlaces(service).find(({ of }) => of === place)!.environment['PUBLIC_URL']
  const url = findUrl('gateway')
  expect(url).toEqual(expect.any(String))
  expect(['organizations', 'artefacts'].map(findUrl)).toEqual([url, url])
})

test('detects a service without its backing service', () => {
  const { overlay, workload } = cases.find(({ name }) => name === 'invoices')!
  const { MONGODB_URL: _, ...environment } = readEnvironment(overlay, workload)
  const env = new EnvReader(environment)
  readers['invoices']!(env, undefined)
  expect(() => env.throwErrors()).toThrow('MONGODB_URL is not set')
})
