/**
 * Who may reach whom by the NetworkPolicies as written, by the rules of Kubernetes: a pod that no
 * policy selects for a direction is open in it; else what any selecting policy allows; and a
 * connection wants both ends' consent.
 */

import { BlockList, isIPv6 } from 'node:net'
import type { Labels, Manifest } from './manifests'

/** A pod, or an address outside of the cluster. */
export interface Party {
  name: string
  pod?: { namespace: string; namespaceLabels: Labels; labels: Labels; ports: Labels }
  address?: string
}

export interface Endpoint {
  protocol: string
  port: number
}

interface Selector {
  matchLabels?: Labels
  matchExpressions?: { key: string; operator: string; values?: string[] }[]
}

interface Peer {
  podSelector?: Selector
  namespaceSelector?: Selector
  ipBlock?: { cidr: string; except?: string[] }
}

interface Rule {
  from?: Peer[]
  to?: Peer[]
  ports?: { protocol?: string; port?: string | number; endPort?: number }[]
}

interface Policy {
  podSelector: Selector
  policyTypes?: string[]
  ingress?: Rule[]
  egress?: Rule[]
}

export function isAllowed(
  policies: readonly Manifest[],
  from: Party,
  to: Party,
  endpoint: Endpoint,
) {
  const leaves = consents({
    policies,
    direction: 'Egress',
    self: from,
    other: to,
    target: to,
    endpoint,
  })
  return (
    leaves &&
    consents({ policies, direction: 'Ingress', self: to, other: from, target: to, endpoint })
  )
}

interface Question {
  policies: readonly Manifest[]
  direction: 'Ingress' | 'Egress'
  self: Party
  other: Party
  /** Whose ports are meant: names are the callee's. */
  target: Party
  endpoint: Endpoint
}

function consents({ policies, direction, self, other, target, endpoint }: Question): boolean {
  const { pod } = self
  if (!pod) return true
  const selecting = policies.filter(({ metadata, spec }) => {
    const policy = spec as Policy
    return (
      metadata.namespace === pod.namespace &&
      readTypes(policy).includes(direction) &&
      selects(policy.podSelector, pod.labels)
    )
  })
  if (selecting.length === 0) return true
  return selecting.some(({ metadata, spec }) => {
    const policy = spec as Policy
    const rules = (direction === 'Ingress' ? policy.ingress : policy.egress) ?? []
    return rules.some((rule) => {
      const peers = direction === 'Ingress' ? rule.from : rule.to
      const isPeer =
        !peers?.length || peers.some((peer) => matches(peer, other, metadata.namespace ?? ''))
      return isPeer && opens(rule, target, endpoint)
    })
  })
}

function readTypes({ policyTypes, egress }: Policy): string[] {
  return policyTypes ?? (egress ? ['Ingress', 'Egress'] : ['Ingress'])
}

function matches(peer: Peer, { pod, address }: Party, ownNamespace: string): boolean {
  const { podSelector, namespaceSelector, ipBlock } = peer
  if (ipBlock) return address !== undefined && isInBlock(ipBlock, address)
  if (!pod) return false
  const isInNamespace = namespaceSelector
    ? selects(namespaceSelector, pod.namespaceLabels)
    : pod.namespace === ownNamespace
  return isInNamespace && (!podSelector || selects(podSelector, pod.labels))
}

function opens({ ports }: Rule, { pod }: Party, endpoint: Endpoint): boolean {
  if (!ports?.length) return true
  return ports.some(({ protocol = 'TCP', port, endPort }) => {
    if (protocol !== endpoint.protocol) return false
    if (port === undefined) return true
    if (typeof port === 'string') return Number(pod?.ports[port]) === endpoint.port
    return endpoint.port >= port && endpoint.port <= (endPort ?? port)
  })
}

function selects({ matchLabels = {}, matchExpressions = [] }: Selector, labels: Labels): boolean {
  const hasLabels = Object.entries(matchLabels).every(([name, value]) => labels[name] === value)
  return hasLabels && matchExpressions.every((expression) => holds(expression, labels))
}

function holds(
  { key, operator, values = [] }: NonNullable<Selector['matchExpressions']>[number],
  labels: Labels,
): boolean {
  const value = labels[key]
  if (operator === 'In') return value !== undefined && values.includes(value)
  if (operator === 'NotIn') return value === undefined || !values.includes(value)
  if (operator === 'Exists') return value !== undefined
  if (operator === 'DoesNotExist') return value === undefined
  throw new Error(`no operator of Kubernetes: ${operator}`)
}

function isInBlock({ cidr, except = [] }: NonNullable<Peer['ipBlock']>, address: string): boolean {
  return isIn(cidr, address) && !except.some((hole) => isIn(hole, address))
}

function isIn(cidr: string, address: string): boolean {
  const [net = '', prefix] = cidr.split('/')
  const family = isIPv6(net) ? 'ipv6' : 'ipv4'
  if (isIPv6(address) !== (family === 'ipv6')) return false
  const list = new BlockList()
  list.addSubnet(net, Number(prefix), family)
  return list.check(address, family)
}
