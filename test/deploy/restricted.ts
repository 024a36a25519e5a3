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

/** Each error in a sentence that begins with whose it is. */
export function findRestrictedProblems(name: string, pod: PodSpec): string[] {
  const problems = ['hostNetwork', 'hostPID', 'hostIPC', 'hostUsers']
    .filter((field) => pod[field] !== undefined)
    .map((field) => `${field} is asked for`)
  const { runAsNonRoot, runAsUser, seccompProfile } = (pod.securityContext ?? {}) as {
    runAsNonRoot?: boolean
    runAsUser?: number
    seccompProfile?: { type: string }
  }
  if (runAsNonRoot !== true) problems.push('may run as root')
  if (!runAsUser) problems.push('its user has no number, or is root')
  if (!['RuntimeDefault', 'Localhost'].includes(seccompProfile?.type ?? '')) {
    problems.push('has no seccomp profile')
  }
  for (const { name: volume, ...source } of pod.volumes ?? []) {
    const kinds = Object.keys(source)
    if (!kinds.every((kind) => volumesAllowed.includes(kind))) {
      problems.push(`volume ${volume} is ${kinds.join()}`)
    }
  }
  return [
    ...problems.map((problem) => `${name}: ${problem}`),
    ...allContainers(pod).flatMap((container) =>
      findContainerProblems(container).map((problem) => `${name}/${container.name}: ${problem}`),
    ),
  ]
}

function findContainerProblems({ securityContext = {}, ports = [] }: Container): string[] {
  const { allowPrivilegeEscalation, privileged, readOnlyRootFilesystem, capabilities, ...rest } =
    securityContext as Record<string, unknown> & {
      capabilities?: { drop?: string[]; add?: string[] }
    }
  const problems: string[] = []
  if (allowPrivilegeEscalation !== false) problems.push('may gain privileges')
  if (privileged === true) problems.push('is privileged')
  if (readOnlyRootFilesystem !== true) problems.push('may write to its root')
  if (!capabilities?.drop?.includes('ALL')) problems.push('does not drop ALL capabilities')
  if (capabilities?.add) problems.push('adds capabilities')
  if (Object.keys(rest).length > 0)
    problems.push(`overrides the pod by ${Object.keys(rest).join()}`)
  if (ports.some((port) => 'hostPort' in port)) problems.push('takes a port of the host')
  return problems
}
