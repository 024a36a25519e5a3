import { limits } from '@einvoicing/domain/limits'
import { clientNetwork } from '@einvoicing/access/client-network'
import type { Deps } from './deps'
import type { Session, User } from './store/store'

export const knownNetworksMax = 20
const deviceLengthMax = 256

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

/** Bounded, the latest first. */
export function withNetwork(known: readonly string[], network: string): string[] {
  const others = known.filter((one) => one !== network)
  return [network, ...others].slice(0, knownNetworksMax)
}

function readableDevice(userAgent: string): string {
  return userAgent.replace(/\p{Cc}/gu, '').slice(0, deviceLengthMax)
}

/** Precision of the times in a token. */
function wholeSecond(ms: number): string {
  return new Date(Math.floor(ms / 1000) * 1000).toISOString()
}
