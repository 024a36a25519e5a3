import { readFileSync } from 'node:fs'
import path from 'node:path'
import { isAllowed, type Endpoint, type Party } from './network'
import {
  buildOverlay,
  buildStoresOfThree,
  ofKind,
  withOverlay,
  workloads,
  type Labels,
  type Overlay,
} from './manifests'

const nameLabel = 'app.kubernetes.io/name'

// The picture (README.md, docs/architecture.md), and what answers everybody: names.
const arrows = [
  'ingress → gateway:8080',
  'gateway → organizations:9001',
  'organizations → artefacts:9004',
  'gateway → invoices:9002',
  'gateway → artefacts:9004',
  'invoices → signer:9003',
  'invoices → artefacts:9004',
  'clearance → invoices:9002',
]
const asksNames = (...names: string[]) =>
  names.flatMap((name) => [`${name} → dns:53`, `${name} → dns:53/UDP`])
const names = asksNames('gateway', 'organizations', 'invoices', 'artefacts', 'clearance')
const services = ['gateway', 'organizations', 'invoices', 'signer', 'artefacts', 'clearance']

const stores = [
  'organizations → mongodb:27017',
  'invoices → mongodb:27017',
  'mongodb → mongodb:27017',
  'mongodb-users → mongodb:27017',
  'invoices → nats:4222',
  'clearance → nats:4222',
  'nats → nats:6222',
  'artefacts → minio:9000',
  's3-user → minio:9000',
  'minio → minio:9000',
  'gateway → valkey:6379',
  ...asksNames('mongodb', 'mongodb-users', 'nats', 'minio', 's3-user'),
]

const hsm = ['signer → hsm:1792']

const expected: Record<string, string[]> = {
  local: [
    ...arrows,
    ...names,
    ...stores,
    'clearance → simulator:8090',
    'artefacts → simulator:8090',
  ],
  'stores-of-three': [...arrows, ...names, ...stores, ...hsm],
  production: [
    ...arrows,
    ...names,
    ...asksNames('signer'),
    ...hsm,
    'organizations → mongodb server:27017',
    'invoices → mongodb server:27017',
    'invoices → nats server:4222',
    'clearance → nats server:4222',
    'artefacts → s3 server:443',
    'gateway → redis server:6379',
    'clearance → world:443',
    'clearance → world by IPv6:443',
    // Addresses of the public internet by their form, each a host like any other there.
    ...['mongodb', 'nats', 's3', 'redis'].map(
      (backingService) => `clearance → ${backingService} server:443`,
    ),
    'clearance → hsm:443',
    ...services.map((name) => `${name} → collector:4318`),
    'prometheus → gateway:9106',
    'prometheus → organizations:9101',
    'prometheus → invoices:9102',
    'prometheus → signer:9103',
    'prometheus → artefacts:9104',
    'prometheus → clearance:9105',
  ],
}

const pod = (name: string, namespace: string, labels: Labels): Party => ({
  name,
  pod: {
    namespace,
    namespaceLabels: { 'kubernetes.io/metadata.name': namespace },
    labels,
    ports: { health: '9101', http: '8080' },
  },
})

// Who else there is: those who may, and those who differ from them in one thing.
const others: Party[] = [
  pod('ingress', 'ingress-nginx', {
    [nameLabel]: 'ingress-nginx',
    'app.kubernetes.io/component': 'controller',
  }),
  pod('ingress job', 'ingress-nginx', {
    [nameLabel]: 'ingress-nginx',
    'app.kubernetes.io/component': 'admission-webhook',
  }),
  pod('dns', 'kube-system', { 'k8s-app': 'kube-dns' }),
  pod('prometheus', 'monitoring', { [nameLabel]: 'prometheus' }),
  pod('collector', 'observability', { [nameLabel]: 'opentelemetry-collector' }),
  pod('neighbour of dns', 'kube-system', { 'k8s-app': 'metrics-server' }),
  pod('neighbour of prometheus', 'monitoring', { [nameLabel]: 'grafana' }),
  pod('neighbour of the collector', 'observability', { [nameLabel]: 'jaeger' }),
  pod('another dns', 'default', { 'k8s-app': 'kube-dns' }),
  pod('another prometheus', 'default', { [nameLabel]: 'prometheus' }),
  pod('another gateway', 'default', { [nameLabel]: 'gateway' }),
  pod('another invoices', 'default', { [nameLabel]: 'invoices' }),
  pod('stranger', 'default', {}),
  pod('stranger in the house', 'einvoicing', { [nameLabel]: 'stranger' }),
  { name: 'mongodb server', address: '192.0.2.1' },
  { name: 'nats server', address: '192.0.2.17' },
  { name: 's3 server', address: '192.0.2.33' },
  { name: 'redis server', address: '192.0.2.49' },
  { name: 'hsm', address: '192.0.2.65' },
  { name: 'world', address: '203.0.113.7' },
  { name: 'world by IPv6', address: '2001:db8::7' },
  { name: 'metadata', address: '169.254.169.254' },
  { name: 'private 10', address: '10.0.0.1' },
  { name: 'private 172', address: '172.31.255.255' },
  { name: 'private 192', address: '192.168.1.1' },
  { name: 'behind translation', address: '100.64.0.1' },
  { name: 'private by IPv6', address: 'fd00::1' },
  { name: 'link by IPv6', address: 'fe80::1' },
]

const endpoints: Endpoint[] = [
  ...[22, 53, 80, 443, 1792, 4222, 4318, 6222, 6379, 6443, 8080, 8090, 8222, 9000].map(tcp),
  ...[9001, 9002, 9003, 9004, 9101, 9102, 9103, 9104, 9105, 9106, 10_250, 27_017].map(tcp),
  { protocol: 'UDP', port: 53 },
  { protocol: 'UDP', port: 443 },
]

function tcp(port: number): Endpoint {
  return { protocol: 'TCP', port }
}

function ownParties(overlay: Overlay): Party[] {
  return workloads(overlay).map(({ name, labels, pod: { containers } }) => {
    const ports = containers.flatMap((container) => container.ports ?? [])
    return {
      name,
      pod: {
        namespace: 'einvoicing',
        namespaceLabels: { 'kubernetes.io/metadata.name': 'einvoicing' },
        labels,
        ports: Object.fromEntries(ports.map((port) => [port.name, String(port.containerPort)])),
      },
    }
  })
}

/** Every way that is open and has one of ours at an end. */
function openWays(overlay: Overlay): string[] {
  const policies = ofKind(overlay, 'NetworkPolicy')
  const own = ownParties(overlay)
  const all = [...own, ...others]
  const isOurs = new Set(own)
  return all.flatMap((from) =>
    all
      .filter((to) => isOurs.has(from) || isOurs.has(to))
      .flatMap((to) =>
        endpoints
          .filter((endpoint) => isAllowed(policies, from, to, endpoint))
          .map(({ protocol, port }) => {
            const suffix = protocol === 'TCP' ? '' : `/${protocol}`
            return `${from.name} → ${to.name}:${port}${suffix}`
          }),
      ),
  )
}

const overlays = [buildOverlay('local'), buildOverlay('production'), buildStoresOfThree()]

test.each(overlays)('in $name exactly these connections are allowed', (overlay) => {
  expect(openWays(overlay).sort()).toEqual([...expected[overlay.name]!].sort())
})

test('the patch of README.md leaves clearance the platform alone', () => {
  const readme = readFileSync(path.join(__dirname, '../../deploy/k8s/README.md'), 'utf8')
  const [, patch = ''] =
    /```yaml\n(patches:\n[^`]*clearance-to-platform[^`]*)```/.exec(readme) ?? []
  const overlay = `resources: [../production]\n${patch}`
  const manifests = withOverlay(overlay, (at) =>
    ofKind(buildOverlay(path.basename(at)), 'NetworkPolicy'),
  )
  const { spec } = manifests.find(({ metadata }) => metadata.name === 'clearance-to-platform')!
  const { egress } = spec as { egress: { to: object[]; ports: object[] }[] }
  expect(egress).toEqual([
    {
      to: [{ ipBlock: { cidr: '203.0.113.10/32' } }, { ipBlock: { cidr: '203.0.113.11/32' } }],
      ports: [{ protocol: 'TCP', port: 443 }],
    },
  ])
})

test('finds an arrow too many and an arrow too few', () => {
  const [local] = overlays
  const without = (name: string): Overlay => ({
    ...local!,
    manifests: local!.manifests.filter(
      ({ kind, metadata }) => kind !== 'NetworkPolicy' || metadata.name !== name,
    ),
  })
  expect(openWays(without('signer'))).not.toContain('invoices → signer:9003')
  // What no policy but the denial holds back is open to all when that is gone.
  expect(openWays(without('default-deny'))).toContain('signer → metadata:443')
})
