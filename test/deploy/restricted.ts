/**
 * Pod Security Standards of Kubernetes, level restricted, and what we ask beyond it: a root file
 * system that cannot be written, and a user with a number.
 */

import { allContainers, type PodSpec, type Container } from './manifests'

const volumesAllowed = [
  'configMap',
  'csi',
  'downwardAPI',
  'emptyDir',
  'ephemeral',
  'persistentVolumeClaim',
  'projected',
  'secret',
]

/** Each fault in a sentence that begins with whose it is. */
export function faultsOfRestricted(name: string, pod: PodSpec): string[] {
  const faults = ['hostNetwork', 'hostPID', 'hostIPC', 'hostUsers']
    .filter((field) => pod[field] !== undefined)
    .map((field) => `${field} is asked for`)
  const { runAsNonRoot, runAsUser, seccompProfile } = (pod.securityContext ?? {}) as {
    runAsNonRoot?: boolean
    runAsUser?: number
    seccompProfile?: { type: string }
  }
  if (runAsNonRoot !== true) faults.push('may run as root')
  if (!runAsUser) faults.push('its user has no number, or is root')
  if (!['RuntimeDefault', 'Localhost'].includes(seccompProfile?.type ?? '')) {
    faults.push('has no seccomp profile')
  }
  for (const { name: volume, ...source } of pod.volumes ?? []) {
    const kinds = Object.keys(source)
    if (!kinds.every((kind) => volumesAllowed.includes(kind))) {
      faults.push(`volume ${volume} is ${kinds.join()}`)
    }
  }
  return [
    ...faults.map((fault) => `${name}: ${fault}`),
    ...allContainers(pod).flatMap((container) =>
      faultsOfContainer(container).map((fault) => `${name}/${container.name}: ${fault}`),
    ),
  ]
}

function faultsOfContainer({ securityContext = {}, ports = [] }: Container): string[] {
  const { allowPrivilegeEscalation, privileged, readOnlyRootFilesystem, capabilities, ...rest } =
    securityContext as Record<string, unknown> & {
      capabilities?: { drop?: string[]; add?: string[] }
    }
  const faults: string[] = []
  if (allowPrivilegeEscalation !== false) faults.push('may gain privileges')
  if (privileged === true) faults.push('is privileged')
  if (readOnlyRootFilesystem !== true) faults.push('may write to its root')
  if (!capabilities?.drop?.includes('ALL')) faults.push('does not drop ALL capabilities')
  if (capabilities?.add) faults.push('adds capabilities')
  if (Object.keys(rest).length > 0) faults.push(`overrides the pod by ${Object.keys(rest).join()}`)
  if (ports.some((port) => 'hostPort' in port)) faults.push('takes a port of the host')
  return faults
}
