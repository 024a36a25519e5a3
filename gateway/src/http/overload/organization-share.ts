import type { IncomingMessage } from 'node:http'
import { digestApiKey, isWellFormedApiKey } from '@einvoicing/access/api-key'

/** Of the free slots, one organization may hold at most this multiple. */
const shareOfFree = 4
/** Slots beyond the limit, as a share of it, for organizations that hold none. */
const reservedShare = 0.25
const knownKeysMax = 10_000

export class OrganizationShare {
  private inFlight = 0
  private assigned = 0
  private readonly held = new Map<string, number>()
  /** By key digest. To reject early, never to authenticate. */
  private readonly owners = new Map<string, string>()

  get requestsInFlight(): number {
    return this.inFlight
  }

  enter(organizationId: string | undefined): void {
    this.inFlight += 1
    if (organizationId !== undefined) this.count(organizationId, 1)
  }

  leave(organizationId: string | undefined): void {
    this.inFlight -= 1
    if (organizationId !== undefined) this.count(organizationId, -1)
  }

  isFull(organizationId: string | undefined, limit: number): boolean {
    if (this.inFlight < limit) {
      return organizationId !== undefined && this.exceedsShare(organizationId, limit)
    }
    // A known client without a request in flight may use the reserved slots.
    const mayUseReserved = organizationId !== undefined && !this.held.has(organizationId)
    return !mayUseReserved || this.inFlight >= limit * (1 + reservedShare)
  }

  exceedsShare(organizationId: string, limit: number): boolean {
    const held = this.held.get(organizationId) ?? 0
    const freeAfter = limit - this.assigned - 1
    return held > 0 && held + 1 > shareOfFree * freeAfter
  }

  /** Looks a key up only when a share can be exceeded: the digest costs time. */
  findOwner({ headers }: IncomingMessage, limit: number): string | undefined {
    if (this.inFlight <= shareOfFree * (limit - this.inFlight)) return undefined
    const key = headers.authorization?.slice('Bearer '.length).trim()
    if (key === undefined || !isWellFormedApiKey(key)) return undefined
    return this.owners.get(toName(digestApiKey(key)))
  }

  rememberOwner(keyDigest: Uint8Array, organizationId: string): void {
    const name = toName(keyDigest)
    if (this.owners.get(name) === organizationId) return
    const [oldest] = this.owners.keys()
    if (this.owners.size >= knownKeysMax && oldest !== undefined) this.owners.delete(oldest)
    this.owners.set(name, organizationId)
  }

  private count(organizationId: string, change: 1 | -1): void {
    this.assigned += change
    const held = (this.held.get(organizationId) ?? 0) + change
    if (held > 0) this.held.set(organizationId, held)
    else this.held.delete(organizationId)
  }
}

function toName(digest: Uint8Array): string {
  return Buffer.from(digest.buffer, digest.byteOffset, digest.byteLength).toString('latin1')
}
