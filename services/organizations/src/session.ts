import { limits } from '@einvoicing/domain/limits'
import { clientNetwork } from '@einvoicing/access/client-network'
import type { Deps } from './deps'
import type { Session, User } from './store/store'

export const knownNetworksMax = 20

export interface Client {
  clientAddress: string
  device: string
}

export function newSession(
  { newId, now }: Pick<Deps, 'newId' | 'now'>,
  user: Pick<User, 'id' | 'organizationId' | 'passwordVersion'>,
  { clientAddress, device }: Client,
): Session {
  const at = now()
  return {
    id: newId(),
    organizationId: user.organizationId,
    userId: user.id,
    passwordVersion: user.passwordVersion,
    network: clientNetwork(clientAddress),
    device: readableDevice(device),
    createdAt: at.toISOString(),
    lastSeenAt: at.toISOString(),
    confirmedAt: at.toISOString(),
    expiresAt: wholeSecond(at.getTime() + limits.sessionLifetimeMs),
  }
}

export function describeClient({ network, device }: Session): string {
  return device === '' ? network : `${network}, ${device}`
}

function withLatest(known: readonly string[], latest: string): string[] {
  const others = known.filter((one) => one !== latest)
  return [latest, ...others].slice(0, knownNetworksMax)
}

export function withClient(
  { knownNetworks, knownDevices }: Pick<User, 'knownNetworks' | 'knownDevices'>,
  { network, device }: Pick<Session, 'network' | 'device'>,
) {
  return {
    knownNetworks: withLatest(knownNetworks, network),
    knownDevices: withLatest(knownDevices, deviceKind(device)),
  }
}

/** The User-Agent without versions: an updated browser is the same device. */
function deviceKind(userAgent: string): string {
  return userAgent.replace(/\d[\d._]*/g, '#')
}

export function isNewClient(
  { knownNetworks, knownDevices }: Pick<User, 'knownNetworks' | 'knownDevices'>,
  { network, device }: Pick<Session, 'network' | 'device'>,
): boolean {
  if (!knownNetworks.includes(network)) return true
  // Earlier versions did not store devices.
  return knownDevices.length > 0 && !knownDevices.includes(deviceKind(device))
}

export function readableDevice(userAgent: string): string {
  return userAgent.replace(/\p{Cc}/gu, '').slice(0, limits.deviceLength)
}

function wholeSecond(ms: number): string {
  return new Date(Math.floor(ms / 1000) * 1000).toISOString()
}
