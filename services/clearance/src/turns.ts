/**
 * Whose invoice is worked on next: organizations take turns, however many invoices each has.
 *
 * No organization may fill the slots or the space to wait: there is always a share left for one
 * that
 * comes new. Invoices whose last attempt failed share a quarter of the slots, so that calls that
 * time out leave the others to invoices that go well. Of one organization only so many are handed
 * over before the first of them are decided: the platform may decide in the order of arrival.
 */

import { Queue } from '@einvoicing/events/in-process/queue'

export interface TurnsOptions {
  /** Invoices worked on at once. */
  slots: number
  /** Invoices that wait here for their turn; the others wait at the bus. */
  waitingMax: number
  /** Invoices handed over and not decided, until no more are handed over. */
  awaitedMax: number
}

/** To be handed over, asked about, or tried again after a failure. */
export type Kind = 'send' | 'ask' | 'retry'

/** Ends a turn, so that the next one begins. */
export type EndTurn = () => void

const kinds: readonly Kind[] = ['send', 'ask', 'retry']

// What the platform has not decided after this time holds back no other invoice.
const awaitedMs = 10_000
const lookMs = 1_000
// Whatever their number, each organization may have as many.
const awaitedMin = 8

// While an organization has as many waiting as it may, its others come back a thousand a second,
// not all at once, and not before a second.
const laterMinMs = 1_000
const laterSpacingMs = 1

interface Organization {
  waiting: Record<Kind, Queue<() => void>>
  waitingCount: Record<Kind, number>
  atWork: Record<Kind, number>
  /** Invoices handed over and not decided, and since when by `performance.now()`. */
  awaited: Map<string, number>
  /** The kind of its last turn: the next is of another. */
  last: Kind
  lastLaterMs: number
}

export class Turns {
  /** Those with an invoice at work or waiting; the next in turn comes first. */
  private readonly organizations = new Map<string, Organization>()
  private readonly atWork: Record<Kind, number> = { send: 0, ask: 0, retry: 0 }
  private readonly awaitedMax: number
  private isClosed = false
  private looking: NodeJS.Timeout | undefined
  private readonly slots: number
  private readonly retrySlots: number
  private readonly waitingMax: number

  constructor({ slots, waitingMax, awaitedMax }: TurnsOptions) {
    this.awaitedMax = awaitedMax
    this.slots = slots
    this.retrySlots = Math.max(1, Math.floor(slots / 4))
    this.waitingMax = waitingMax
  }

  /** Resolves when the turn begins; or says in how many milliseconds to ask again. */
  take(organizationId: string, kind: Kind, nowMs: number): Promise<EndTurn> | number {
    const organization = this.organizationOf(organizationId)
    if (this.isFull(organization, kind)) {
      const atMs = Math.max(nowMs + laterMinMs, organization.lastLaterMs + laterSpacingMs)
      organization.lastLaterMs = atMs
      return atMs - nowMs
    }
    organization.waitingCount[kind] += 1
    return new Promise((resolve) => {
      organization.waiting[kind].push(() => {
        organization.waitingCount[kind] -= 1
        this.add(organization, kind, 1)
        resolve(() => {
          this.add(organization, kind, -1)
          this.forgetIdle(organizationId)
          this.handOut()
        })
      })
      this.handOut()
    })
  }

  /** The platform has had the invoice for `ageMs` and will decide. */
  handedOver(organizationId: string, invoiceId: string, ageMs: number): void {
    if (ageMs >= awaitedMs) return
    const { awaited } = this.organizationOf(organizationId)
    if (!awaited.has(invoiceId)) awaited.set(invoiceId, performance.now() - ageMs)
  }

  /** It is decided, or given up. */
  decided(organizationId: string, invoiceId: string): void {
    const organization = this.organizations.get(organizationId)
    if (!organization?.awaited.delete(invoiceId)) return
    this.forgetIdle(organizationId)
    this.handOut()
  }

  /** Begins every turn that is waited for: who waits finds that the process stops. */
  close(): void {
    this.isClosed = true
    clearTimeout(this.looking)
    this.handOut()
  }

  private organizationOf(organizationId: string): Organization {
    const organization = this.organizations.get(organizationId) ?? newOrganization()
    this.organizations.set(organizationId, organization)
    return organization
  }

  /** Those that wait to be handed over leave half of the space to those that are decided. */
  private isFull({ waitingCount }: Organization, kind: Kind): boolean {
    const share = this.share(this.waitingMax)
    return sum(waitingCount) >= share || (kind === 'send' && waitingCount.send >= share / 2)
  }

  private handOut(): void {
    for (let begin = this.next(); begin; begin = this.next()) begin()
  }

  private next(): (() => void) | undefined {
    if (!this.isClosed && sum(this.atWork) >= this.slots) return undefined
    for (const [id, organization] of this.organizations) {
      const { waiting, waitingCount } = organization
      if (sum(waitingCount) === 0 || !this.mayWork(organization)) continue
      const first = kinds.indexOf(organization.last) + 1
      for (const kind of [...kinds.slice(first), ...kinds.slice(0, first)]) {
        if (!this.may(organization, kind)) continue
        const begin = waiting[kind].shift()
        if (!begin) continue
        organization.last = kind
        this.organizations.delete(id)
        this.organizations.set(id, organization)
        return begin
      }
    }
    return undefined
  }

  private mayWork({ atWork }: Organization): boolean {
    return this.isClosed || sum(atWork) < this.share(this.slots)
  }

  private may(organization: Organization, kind: Kind): boolean {
    if (this.isClosed) return true
    if (kind === 'retry') return this.mayRetry(organization)
    return kind === 'ask' || this.maySend(organization)
  }

  private maySend(organization: Organization): boolean {
    const { awaited, atWork, waitingCount } = organization
    if (waitingCount.send === 0) return false
    forgetLongAwaited(organization)
    const share = Math.max(awaitedMin, this.share(this.awaitedMax))
    if (awaited.size + atWork.send < share) return true
    // Nothing may happen until the oldest one no longer counts.
    this.looking ??= setTimeout(() => {
      this.looking = undefined
      this.handOut()
    }, lookMs).unref()
    return false
  }

  private mayRetry({ atWork }: Organization): boolean {
    return this.atWork.retry < this.retrySlots && atWork.retry < this.share(this.retrySlots)
  }

  private forgetIdle(organizationId: string): void {
    const organization = this.organizations.get(organizationId)
    if (!organization) return
    forgetLongAwaited(organization)
    const { waitingCount, atWork, awaited } = organization
    if (sum(waitingCount) + sum(atWork) + awaited.size === 0)
      this.organizations.delete(organizationId)
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
    waiting: { send: new Queue(), ask: new Queue(), retry: new Queue() },
    waitingCount: { send: 0, ask: 0, retry: 0 },
    atWork: { send: 0, ask: 0, retry: 0 },
    awaited: new Map(),
    last: 'retry',
    lastLaterMs: 0,
  }
}

function forgetLongAwaited({ awaited }: Organization): void {
  const sinceMs = performance.now() - awaitedMs
  for (const [invoiceId, atMs] of awaited) {
    if (atMs > sinceMs) return
    awaited.delete(invoiceId)
  }
}

function sum(counts: Record<Kind, number>): number {
  return counts.send + counts.ask + counts.retry
}
