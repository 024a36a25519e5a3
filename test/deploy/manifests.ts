/**
 * What `kubectl apply -k` would send: overlays and components of deploy/k8s, built by the real
 * kustomize, whichever the machine has.
 */

import { execFileSync } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { parseAllDocuments } from 'yaml'

const root = path.join(__dirname, '..', '..')
const folder = path.join(root, 'deploy', 'k8s')
/** Where test/provision.sh puts what it fetches. */
export const tools = path.join(root, '.cache', 'tools')

export interface Labels {
  [name: string]: string
}

export interface Metadata {
  name: string
  namespace?: string
  labels?: Labels
}

/** As much of any object as one can say of all. */
export interface Manifest {
  apiVersion: string
  kind: string
  metadata: Metadata
  // Each kind has its own; tests read what they know.
  spec?: any
  data?: Record<string, string>
}

export interface Overlay {
  name: string
  text: string
  manifests: Manifest[]
}

export function buildOverlay(name: string): Overlay {
  return build(name, path.join(folder, 'overlays', name))
}

/**
 * The backing services inside of the cluster, several of each: no overlay of ours, but someone's.
 */
export function buildStoresOfThree(): Overlay {
  return withOverlay(
    ['resources: [../../base]', 'components:']
      .concat(['stores', 'stores-of-three', 'hsm'].map((name) => `  - ../../components/${name}`))
      .join('\n'),
    (at) => build('stores-of-three', at),
  )
}

/** Builds a kustomization written for a test, beside the overlays; it is gone afterwards. */
export function withOverlay<T>(text: string, use: (at: string) => T): T {
  const at = mkdtempSync(path.join(folder, 'overlays', '.test-'))
  try {
    writeFileSync(path.join(at, 'kustomization.yaml'), `namespace: einvoicing\n${text}\n`)
    return use(at)
  } finally {
    rmSync(at, { recursive: true, force: true })
  }
}

function build(name: string, at: string): Overlay {
  const [program = '', ...words] = kustomize()
  const text = execFileSync(program, [...words, at], { encoding: 'utf8', stdio: 'pipe' })
  const manifests = parseAllDocuments(text).map((document) => document.toJS() as Manifest)
  return { name, text, manifests }
}

function kustomize(): string[] {
  const fetched = path.join(tools, 'kustomize')
  if (existsSync(fetched)) return [fetched, 'build']
  const has = (program: string, ...words: string[]) => {
    try {
      execFileSync(program, words, { stdio: 'ignore' })
      return true
    } catch {
      return false
    }
  }
  if (has('kubectl', 'kustomize', '--help')) return ['kubectl', 'kustomize']
  if (has('kustomize', 'version')) return ['kustomize', 'build']
  throw new Error('neither kubectl nor kustomize is here: npm run provision fetches it')
}

export interface EnvVariable {
  name: string
  value?: string
  valueFrom?: Record<string, { name: string; key: string }>
}

export interface Probe {
  httpGet?: { path: string; port: string | number }
}

export interface Container {
  name: string
  image: string
  args?: string[]
  env?: EnvVariable[]
  envFrom?: { configMapRef?: { name: string } }[]
  ports?: { name: string; containerPort: number }[]
  resources?: { requests?: Labels; limits?: Labels }
  securityContext?: Record<string, unknown>
  volumeMounts?: { name: string; mountPath: string; readOnly?: boolean }[]
  startupProbe?: Probe
  readinessProbe?: Probe
  livenessProbe?: Probe
  lifecycle?: { preStop?: { sleep?: { seconds: number } } }
}

export interface Volume {
  name: string
  secret?: { secretName: string; items?: unknown[] }
  projected?: { sources: { secret?: { name: string } }[] }
  [kind: string]: unknown
}

export interface PodSpec {
  containers: Container[]
  initContainers?: Container[]
  volumes?: Volume[]
  serviceAccountName?: string
  automountServiceAccountToken?: boolean
  terminationGracePeriodSeconds?: number
  securityContext?: Record<string, unknown>
  [field: string]: unknown
}

/** What makes pods, and the pod it makes. */
export interface Workload {
  kind: string
  /** Also the label `app.kubernetes.io/name` of its pods. */
  name: string
  replicas: number | undefined
  labels: Labels
  pod: PodSpec
  manifest: Manifest
}

export function workloads({ manifests }: Overlay): Workload[] {
  return manifests
    .filter(({ kind }) => ['Deployment', 'StatefulSet', 'Job'].includes(kind))
    .map((manifest) => ({
      kind: manifest.kind,
      name: manifest.metadata.name,
      replicas: manifest.spec.replicas,
      labels: manifest.spec.template.metadata.labels,
      pod: manifest.spec.template.spec,
      manifest,
    }))
}

export function ofKind({ manifests }: Overlay, kind: string): Manifest[] {
  return manifests.filter((manifest) => manifest.kind === kind)
}

export function allContainers({ containers, initContainers = [] }: PodSpec): Container[] {
  return [...initContainers, ...containers]
}
