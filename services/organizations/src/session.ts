import { limits } from '@einvoicing/domain/limits'
import { clientNetwork } from '@einvoicing/access/client-network'
import type { Deps } from './deps'
import type { Session, User } from './store/store'

/** The networks from which a user signed in last. */
export const knownNetworksMax = 20
const deviceLengthMax = 256

export interface Client {
  clientAddress: string
  /** Its User-Agent. */
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
    expiresAt: wholeSecond(at.getTime() + limits.sessionLifetimeMs),
  }
}

/** For the audit log. */
export function describeClient({ network, device }: Session): string {
  return device === '' ? network : `${network}, ${device}`
}

/** Bounded: the networks from which a user signed in, the latest first. */
export function withNetwork(known: readonly string[], network: string): string[] {
  const others = known.filter((one) => one !== network)
  return [network, ...others].slice(0, knownNetworksMax)
}

function readableDevice(userAgent: string): string {
  return userAgent.replace(/\p{Cc}/gu, '').slice(0, deviceLengthMax)
}

/** As a token can say it. */
function wholeSecond(ms: number): string {
  return new Date(Math.floor(ms / 1000) * 1000).toISOString()
}
