/** What is true of every overlay's manifests, whatever cluster they meet. */

import { secretFileName } from '@einvoicing/rpc/caller-secrets'
import { pairs } from '@einvoicing/rpc/who-may-call'
import { execFileSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { parse } from 'yaml'
import {
  allContainers,
  buildOverlay,
  buildStoresOfThree,
  ofKind,
  tools,
  withOverlay,
  workloads,
  type Overlay,
  type Workload,
} from './manifests'
import { findRestrictedProblems } from './restricted'

const overlays = [buildOverlay('local'), buildOverlay('production'), buildStoresOfThree()]
const ours = ['gateway', 'organizations', 'invoices', 'signer', 'artefacts', 'clearance']
const upgrade = readFileSync(path.join(__dirname, '../../docs/operations/upgrade.md'), 'utf8')
const validator = path.join(tools, 'kubernetes-validate')

/** What the schemas of Kubernetes 1.34 say against manifests; kinds of others they do not know. */
function schemaErrors(text: string): string[] {
  const folder = mkdtempSync(path.join(tmpdir(), 'manifests-'))
  const file = path.join(folder, 'manifests.yaml')
  try {
    const known = text
      .split(/^---$/m)
      .filter((one) => !/^apiVersion: \S+\.(io|com)\/v1$/m.test(one) || /k8s\.io/.test(one))
    writeFileSync(file, known.join('---'))
    const words = ['-m', 'kubernetes_validate', '-k', '1.34.0', '--strict', '--quiet', file]
    execFileSync('python3', words, {
      env: { ...process.env, PYTHONPATH: validator },
      stdio: 'pipe',
    })
    return []
  } catch (error) {
    const { stdout, stderr } = error as { stdout: Buffer; stderr: Buffer }
    return `${stdout.toString()}${stderr.toString()}`.split('\n').filter((line) => line !== '')
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

const withValidator = existsSync(validator) ? describe : describe.skip

withValidator('by the schemas of Kubernetes 1.34, strictly', () => {
  test.each(overlays)('$name', ({ text }) => expect(schemaErrors(text)).toEqual([]))

  test('a misspelled field is rejected', () => {
    const misspelled = overlays[0]!.text.replace('readinessProbe:', 'readynessProbe:')
    expect(schemaErrors(misspelled).join()).toContain('readynessProbe')
  })
})

describe.each(overlays)('$name', (overlay: Overlay) => {
  const all = workloads(overlay)
  const own = all.filter(({ name }) => ours.includes(name))
  const named = (kind: string) => ofKind(overlay, kind).map(({ metadata }) => metadata.name)

  test('holds every service, and all of it is in the namespace', () => {
    expect(own.map(({ name }) => name).sort()).toEqual([...ours].sort())
    const elsewhere = overlay.manifests.filter(
      ({ kind, metadata }) => kind !== 'Namespace' && metadata.namespace !== 'einvoicing',
    )
    expect(elsewhere).toEqual([])
  })

  test('asks for Pod Security restricted, and every pod conforms', () => {
    const [namespace] = ofKind(overlay, 'Namespace')
    for (const mode of ['enforce', 'audit', 'warn']) {
      expect(namespace!.metadata.labels).toHaveProperty(
        [`pod-security.kubernetes.io/${mode}`],
        'restricted',
      )
    }
    expect(all.flatMap(({ name, pod }) => findRestrictedProblems(name, pod))).toEqual([])
  })

  test('every pod is named, has limits, and no access to the API server', () => {
    for (const { name, labels, pod } of all) {
      expect([name, labels['app.kubernetes.io/name']]).toEqual([name, name])
      expect([pod.automountServiceAccountToken, pod.serviceAccountName]).toEqual([false, name])
      expect(pod['enableServiceLinks']).toBe(false)
      for (const { resources } of allContainers(pod)) {
        expect(resources?.requests).toMatchObject({
          cpu: expect.any(String),
          memory: expect.any(String),
        })
        expect(resources?.limits).toHaveProperty('memory')
      }
    }
    const accounts = all.map(({ name }) => name).sort()
    expect(named('ServiceAccount').sort()).toEqual(accounts)
  })

  test('images are pinned', () => {
    const images = new Set(all.flatMap(({ pod }) => allContainers(pod).map(({ image }) => image)))
    const isOpen = (image: string) => !/:[\w.-]+$/.test(image) || image.endsWith(':latest')
    // Someone's own overlay names the images; ours do.
    if (overlay.name !== 'stores-of-three') expect([...images].filter(isOpen)).toEqual([])
  })

  test('docs/operations/upgrade.md gives a new image to the services alone', () => {
    const [, named] = /set image deploy\/artefacts (\S+)=/.exec(upgrade) ?? []
    for (const { name, pod } of own) {
      expect([name, pod.containers.map((one) => one.name)]).toEqual([name, [named]])
      expect(pod.initContainers?.map((one) => one.name) ?? []).not.toContain(named)
    }
  })

  test('probes request paths that the process answers, about itself only', () => {
    for (const { name, pod } of own) {
      const [container] = pod.containers
      const { startupProbe, readinessProbe, livenessProbe, ports = [] } = container!
      const probes = [startupProbe, readinessProbe, livenessProbe].map((probe) => probe?.httpGet)
      expect([name, ...probes.map((get) => get?.path)]).toEqual([
        name,
        '/livez',
        '/servingz',
        '/livez',
      ])
      const endpoints = ports.map((port) => port.name)
      for (const get of probes) expect(endpoints).toContain(get?.port)
    }
  })

  test('services, budgets and scalers select the pods of their name', () => {
    const selected = [...ofKind(overlay, 'Service'), ...ofKind(overlay, 'PodDisruptionBudget')]
    for (const { metadata, spec } of selected) {
      const { selector } = spec as { selector: Record<string, unknown> }
      const labels = selector['matchLabels'] ?? selector
      expect(labels).toEqual({ 'app.kubernetes.io/name': metadata.name })
      expect(all.map(({ name }) => name)).toContain(metadata.name)
    }
    for (const { metadata, spec } of ofKind(overlay, 'Service')) {
      const { pod } = all.find(({ name }) => name === metadata.name)!
      const endpoints = pod.containers.flatMap(({ ports = [] }) => ports.map(({ name }) => name))
      for (const { targetPort } of spec.ports) expect(endpoints).toContain(targetPort)
    }
    const scaled = own.filter(({ name }) => name !== 'clearance').map(({ name }) => name)
    const scalers = ofKind(overlay, 'HorizontalPodAutoscaler')
    expect(scalers.map(({ spec }) => spec.scaleTargetRef.name).sort()).toEqual(scaled.sort())
    // Two masters of one number would take turns at every apply.
    for (const { name, replicas } of own) {
      expect([name, replicas === undefined]).toEqual([name, name !== 'clearance'])
    }
    expect(named('PodDisruptionBudget')).toEqual(expect.arrayContaining(ours))
  })

  test('callers find every pod of a service behind its name', () => {
    const headless = (name: string) =>
      ofKind(overlay, 'Service').find(({ metadata }) => metadata.name === name)?.spec.clusterIP
    for (const name of ['organizations', 'invoices', 'signer', 'artefacts']) {
      expect([name, headless(name)]).toEqual([name, 'None'])
    }
    expect(headless('gateway')).toBeUndefined()
  })

  test('a stop leaves time for callers to notice, then to drain, then cuts', () => {
    const cutAfterSeconds = 20 // packages/runtime/src/serve.ts: twice deadlinesMs.drain
    for (const { name, pod } of own) {
      const sleepSeconds = pod.containers[0]?.lifecycle?.preStop?.sleep?.seconds ?? 0
      // DNS keeps an answer up to 30 s, and peers are looked up every 5 s.
      const least = { clearance: 0, gateway: 15 }[name] ?? 35
      expect([name, sleepSeconds >= least]).toEqual([name, true])
      expect(pod.terminationGracePeriodSeconds).toBeGreaterThan(sleepSeconds + cutAfterSeconds)
    }
  })

  test('holds no secret, and each pod mounts only its own', () => {
    expect(named('Secret')).toEqual([])
    const tls = overlay.name === 'production'
    const mounted = ({ pod }: Workload) =>
      (pod.volumes ?? [])
        .flatMap(({ secret, projected }) => [
          ...(secret ? [secret.secretName] : []),
          ...(projected?.sources.flatMap((source) => source.secret?.name ?? []) ?? []),
        ])
        .sort()
    const callers = (service: string) =>
      pairs
        .filter(({ caller, called }) => [caller, called].some((one) => one === service))
        .map(secretFileName)
    const key = overlay.name === 'local' ? [] : ['token-pin']
    const expected: Record<string, string[]> = {
      gateway: ['redis', 'session', 'verify'],
      organizations: ['api-key-pepper', 'mongodb-organizations', 'second-factor-key', 'smtp'],
      invoices: ['mongodb-invoices', 'nats-invoices'],
      signer: key,
      artefacts: ['s3', 'tsa', 'verify'],
      clearance: ['nats-clearance'],
    }
    for (const workload of own) {
      const { name } = workload
      expect([name, mounted(workload)]).toEqual([
        name,
        [...expected[name]!, ...callers(name), ...(tls ? [`tls-${name}`] : [])].sort(),
      ])
    }
    const inEnvironment = all.flatMap(({ pod }) =>
      allContainers(pod).flatMap(({ env = [] }) =>
        env.filter(({ valueFrom }) => valueFrom?.['secretKeyRef']),
      ),
    )
    expect(inEnvironment).toEqual([])
    const documented = readFileSync(path.join(__dirname, '../../deploy/k8s/README.md'), 'utf8')
    for (const name of new Set(all.flatMap(mounted))) {
      const row = name.replace(/^tls-.*/, 'tls-NAME').replace(/^caller-.*/, 'caller-CALLER-CALLED')
      expect([name, documented.includes(`\`${row}\``)]).toEqual([name, true])
    }
  })
})

test('a pod that is not restricted is rejected, with what it lacks', () => {
  const [{ pod, name } = workloads(overlays[0]!)[0]!] = workloads(overlays[0]!)
  expect(findRestrictedProblems(name, { ...pod, hostNetwork: true })).toEqual([
    `${name}: hostNetwork is asked for`,
  ])
  const [first, ...rest] = pod.containers
  const root = {
    ...first!,
    securityContext: { ...first!.securityContext, capabilities: { drop: [] } },
  }
  expect(findRestrictedProblems(name, { ...pod, containers: [root, ...rest] })).toEqual([
    `${name}/${first!.name}: does not drop ALL capabilities`,
  ])
})

test('a misspelled overlay is an error, not ignored', () => {
  expect(() => withOverlay('resources: [../../bass]', () => buildOverlay('.no-such'))).toThrow()
})

const atDeploy = (file: string) => path.join(__dirname, '../../deploy', file)

test.each(['stores', 'stores-of-three'])(
  'NATS of %s keeps events as our own nats.conf does',
  (of) => {
    const readLines = (file: string) =>
      readFileSync(atDeploy(file), 'utf8')
        .split('\n')
        .map((line) => line.trim())
    const ours = readLines('nats/nats.conf').filter(
      (line) => line !== '' && !line.startsWith('#') && !line.includes('$'),
    )
    expect(ours).toContain('sync_interval: always')
    expect(readLines(`k8s/components/${of}/nats.conf`)).toEqual(expect.arrayContaining(ours))
  },
)

test.each(['invoices', 'clearance'])(
  'the user %s of NATS has the rights of deploy/nats/rights',
  (user) => {
    const wanted = readFileSync(atDeploy(`nats/rights/${user}.conf`), 'utf8')
    for (const overlay of overlays) {
      const maps = ofKind(overlay, 'ConfigMap').filter(({ metadata }) =>
        /^nats-/.test(metadata.name),
      )
      const texts = maps.map(({ data }) => (data as Record<string, string>)[`${user}.conf`])
      expect(texts).toEqual(overlay.name === 'production' ? [] : [wanted])
    }
  },
)

const rulesFile = 'k8s/components/service-monitor/rules.yaml'

test("the rules of the Prometheus operator are deploy/observability's", () => {
  const read = (file: string) => parse(readFileSync(atDeploy(file), 'utf8')) as { spec?: unknown }
  expect(read(rulesFile).spec).toEqual(read('observability/alerts.yml'))
})
