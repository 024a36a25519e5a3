/**
 * Whose invoice is worked on next: organizations take turns, however many invoices each has.
 *
 * No organization may fill the slots or the room to wait: there is always a share left for one that
 * comes new. Invoices whose last attempt failed share a quarter of the slots, so that calls that
 * time out leave the others to invoices that go well.
 */

import { Queue } from '@einvoicing/kernel/bus/queue'

export interface TurnsOptions {
  /** Invoices worked on at once. */
  slots: number
  /** Invoices that wait here for their turn; the others wait at the bus. */
  waitingMax: number
}

export type Kind = 'ordinary' | 'retry'

/** Ends a turn, so that the next one begins. */
export type EndTurn = () => void

const kinds: readonly Kind[] = ['ordinary', 'retry']

// While an organization has as many waiting as it may, its others come back a thousand a second,
// not all at once, and not before a second.
const laterMinMs = 1_000
const laterSpacingMs = 1

interface Organization {
  waiting: Record<Kind, Queue<() => void>>
  waitingCount: number
  atWork: Record<Kind, number>
  /** What it begins with at its next turn. */
  prefers: Kind
  lastLaterMs: number
}

export class Turns {
  /** Those with an invoice at work or waiting; the next in turn comes first. */
  private readonly organizations = new Map<string, Organization>()
  private readonly atWork: Record<Kind, number> = { ordinary: 0, retry: 0 }
  private readonly slots: number
  private readonly retrySlots: number
  private readonly waitingMax: number

  constructor({ slots, waitingMax }: TurnsOptions) {
    this.slots = slots
    this.retrySlots = Math.max(1, Math.floor(slots / 4))
    this.waitingMax = waitingMax
  }

  /** Resolves when the turn begins; or says in how many milliseconds to ask again. */
  take(organizationId: string, kind: Kind, nowMs: number): Promise<EndTurn> | number {
    const organization = this.organizations.get(organizationId) ?? newOrganization()
    this.organizations.set(organizationId, organization)
    if (organization.waitingCount >= this.share(this.waitingMax)) {
      const atMs = Math.max(nowMs + laterMinMs, organization.lastLaterMs + laterSpacingMs)
      organization.lastLaterMs = atMs
      return atMs - nowMs
    }
    organization.waitingCount += 1
    return new Promise((resolve) => {
      organization.waiting[kind].push(() => {
        organization.waitingCount -= 1
        this.add(organization, kind, 1)
        resolve(() => {
          this.add(organization, kind, -1)
          if (isIdle(organization)) this.organizations.delete(organizationId)
          this.handOut()
        })
      })
      this.handOut()
    })
  }

  private handOut(): void {
    for (let begin = this.next(); begin; begin = this.next()) begin()
  }

  private next(): (() => void) | undefined {
    if (this.atWork.ordinary + this.atWork.retry >= this.slots) return undefined
    for (const [id, organization] of this.organizations) {
      const { atWork, waiting, prefers } = organization
      if (organization.waitingCount === 0) continue
      if (atWork.ordinary + atWork.retry >= this.share(this.slots)) continue
      for (const kind of prefers === 'ordinary' ? kinds : kinds.toReversed()) {
        if (kind === 'retry' && !this.mayRetry(organization)) continue
        const begin = waiting[kind].shift()
        if (!begin) continue
        organization.prefers = kind === 'ordinary' ? 'retry' : 'ordinary'
        this.organizations.delete(id)
        this.organizations.set(id, organization)
        return begin
      }
    }
    return undefined
  }

  private mayRetry({ atWork }: Organization): boolean {
    return this.atWork.retry < this.retrySlots && atWork.retry < this.share(this.retrySlots)
  }

  /** Of `whole`, what one organization may take: one more would find the same. */
  private share(whole: number): number {
    const count = this.organizations.size
    return Math.max(1, Math.ceil(count === 1 ? (whole * 3) / 4 : whole / (count + 1)))
  }

  private add(organization: Organization, kind: Kind, count: 1 | -1): void {
    organization.atWork[kind] += count
    this.atWork[kind] += count
  }
}

function newOrganization(): Organization {
  return {
    waiting: { ordinary: new Queue(), retry: new Queue() },
    waitingCount: 0,
    atWork: { ordinary: 0, retry: 0 },
    prefers: 'ordinary',
    lastLaterMs: 0,
  }
}

function isIdle({ waitingCount, atWork }: Organization): boolean {
  return waitingCount === 0 && atWork.ordinary === 0 && atWork.retry === 0
}
