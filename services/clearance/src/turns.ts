/**
 * Organizations take turns, and a share of the slots stays free for a new one. Retries get a
 * quarter of the slots, so that timeouts leave the others free. A platform may decide in the order
 * of arrival, so each organization has a limit of undecided invoices.
 */

import { Queue } from '@einvoicing/runtime/queue'

export interface TurnsOptions {
  slots: number
  /** The others wait at the bus. */
  waitingMax: number
  /** Undecided invoices until no more are sent. */
  awaitedMax: number
}

export type Kind = 'send' | 'poll' | 'retry'

export type EndTurn = () => void

export type Turn = { begun: Promise<EndTurn> } | { againInMs: number }

const kinds: readonly Kind[] = ['send', 'poll', 'retry']

// After this time an undecided invoice holds back no other one.
const awaitedMs = 10_000
const lookMs = 1_000
// Every organization may have this many.
const awaitedMin = 8
// While creations keep the service busy: decision 0130.
const sendEveryMsWhileBusy = 25
const busyForMs = 1_000

// Without space for more, an organization's other invoices come back later: decision 0165.
const laterMinMs = 1_000
const laterSpacingMinMs = 1
const returnsPerSend = 4
const sendEveryMaxMs = 32
const sendsToAverage = 32

interface Organization {
  waiting: Record<Kind, Queue<() => void>>
  waitingCount: Record<Kind, number>
  atWork: Record<Kind, number>
  /** Undecided invoices, and since when by `performance.now()`. */
  awaited: Map<string, number>
  /** The kind of its last turn: the next is of another. */
  last: Kind
  lastLaterMs: number
  lastSendMs: number
  sendEveryMs: number
}

export class Turns {
  /** Those with an invoice running, waiting or awaited; the next in turn comes first. */
  private readonly organizations = new Map<string, Organization>()
  private readonly atWork: Record<Kind, number> = { send: 0, poll: 0, retry: 0 }
  private readonly awaitedMax: number
  private isClosed = false
  private busyUntilMs = -Infinity
  private sendDueMs = -Infinity
  private forgetDueMs = -Infinity
  private readonly looking = new Map<'awaited' | 'due', NodeJS.Timeout>()
  private readonly slots: number
  private readonly retrySlots: number
  private readonly waitingMax: number

  constructor({ slots, waitingMax, awaitedMax }: TurnsOptions) {
    this.awaitedMax = awaitedMax
    this.slots = slots
    this.retrySlots = Math.max(1, Math.floor(slots / 4))
    this.waitingMax = waitingMax
  }

  /** `againInMs` where the organization has no space for another: not taken. */
  take(organizationId: string, kind: Kind): Turn {
    this.forgetEveryIdle()
    const organization = this.organizationOf(organizationId)
    if (this.isFull(organization, kind)) {
      const nowMs = performance.now()
      const spacingMs = Math.max(laterSpacingMinMs, organization.sendEveryMs / returnsPerSend)
      const atMs = Math.max(nowMs + laterMinMs, organization.lastLaterMs + spacingMs)
      organization.lastLaterMs = atMs
      return { againInMs: atMs - nowMs }
    }
    organization.waitingCount[kind] += 1
    const begun = new Promise<EndTurn>((resolve) => {
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
    return { begun }
  }

  /** The platform has had the invoice for `ageMs` and will decide. */
  handedOver(organizationId: string, invoiceId: string, ageMs: number): void {
    if (ageMs >= awaitedMs) return
    const { awaited } = this.organizationOf(organizationId)
    if (!awaited.has(invoiceId)) awaited.set(invoiceId, performance.now() - ageMs)
  }

  decided(organizationId: string, invoiceId: string): void {
    const organization = this.organizations.get(organizationId)
    if (!organization?.awaited.delete(invoiceId)) return
    this.forgetIdle(organizationId)
    this.handOut()
  }

  /** For a second, invoices are sent one after another, 40 a second. */
  noteBusy(): void {
    this.busyUntilMs = performance.now() + busyForMs
  }

  /** Begins every waiting turn; the work finds that the process stops. */
  close(): void {
    this.isClosed = true
    for (const timer of this.looking.values()) clearTimeout(timer)
    this.handOut()
  }

  private organizationOf(organizationId: string): Organization {
    const organization = this.organizations.get(organizationId) ?? newOrganization()
    this.organizations.set(organizationId, organization)
    return organization
  }

  /** Invoices to be sent leave half of the space to those that are polled. */
  private isFull({ waitingCount }: Organization, kind: Kind): boolean {
    const share = this.share(this.waitingMax)
    return sum(waitingCount) >= share || (kind === 'send' && waitingCount.send >= share / 2)
  }

  private handOut(): void {
    this.forgetEveryIdle()
    for (let begin = this.next(); begin; begin = this.next()) begin()
  }

  private next(): (() => void) | undefined {
    if (!this.isClosed && sum(this.atWork) >= this.slots) return undefined
    // One moment for all of them: else the turn that falls due between two goes to the second.
    const nowMs = performance.now()
    for (const [id, organization] of this.organizations) {
      const { waiting, waitingCount } = organization
      if (sum(waitingCount) === 0 || !this.mayWork(organization)) continue
      const first = kinds.indexOf(organization.last) + 1
      for (const kind of [...kinds.slice(first), ...kinds.slice(0, first)]) {
        if (!this.may(organization, kind, nowMs)) continue
        const begin = waiting[kind].shift()
        if (!begin) continue
        organization.last = kind
        if (kind === 'send') this.noteSend(organization, nowMs)
        this.organizations.delete(id)
        this.organizations.set(id, organization)
        return begin
      }
    }
    return undefined
  }

  private noteSend(organization: Organization, nowMs: number): void {
    this.sendDueMs = nowMs + sendEveryMsWhileBusy
    const sinceMs = Math.min(nowMs - organization.lastSendMs, sendEveryMaxMs)
    organization.sendEveryMs += (sinceMs - organization.sendEveryMs) / sendsToAverage
    organization.lastSendMs = nowMs
  }

  private mayWork({ atWork }: Organization): boolean {
    return this.isClosed || sum(atWork) < this.share(this.slots)
  }

  private may(organization: Organization, kind: Kind, nowMs: number): boolean {
    if (this.isClosed) return true
    if (kind === 'retry') return this.mayRetry(organization)
    return kind === 'poll' || this.maySend(organization, nowMs)
  }

  private maySend(organization: Organization, nowMs: number): boolean {
    const { awaited, atWork, waitingCount } = organization
    if (waitingCount.send === 0) return false
    forgetLongAwaited(organization)
    const share = Math.max(awaitedMin, this.share(this.awaitedMax))
    if (awaited.size + atWork.send < share) return this.isSendDue(nowMs)
    // No turn may begin until the oldest one no longer counts.
    this.lookIn(lookMs, 'awaited')
    return false
  }

  private isSendDue(nowMs: number): boolean {
    if (nowMs >= this.busyUntilMs || nowMs >= this.sendDueMs) return true
    this.lookIn(this.sendDueMs - nowMs, 'due')
    return false
  }

  /** Once for each reason, however many turns wait for it. */
  private lookIn(ms: number, reason: 'awaited' | 'due'): void {
    if (this.looking.has(reason)) return
    const timer = setTimeout(() => {
      this.looking.delete(reason)
      this.handOut()
    }, ms)
    this.looking.set(reason, timer.unref())
  }

  private mayRetry({ atWork }: Organization): boolean {
    return this.atWork.retry < this.retrySlots && atWork.retry < this.share(this.retrySlots)
  }

  /** Where another process gets the decision, nothing else ends what is awaited here. */
  private forgetEveryIdle(): void {
    const nowMs = performance.now()
    if (nowMs < this.forgetDueMs) return
    this.forgetDueMs = nowMs + lookMs
    for (const organizationId of this.organizations.keys()) this.forgetIdle(organizationId)
  }

  private forgetIdle(organizationId: string): void {
    const organization = this.organizations.get(organizationId)
    if (!organization) return
    forgetLongAwaited(organization)
    const { waitingCount, atWork, awaited } = organization
    if (sum(waitingCount) + sum(atWork) + awaited.size === 0)
      this.organizations.delete(organizationId)
  }

  /** One of n gets 1/(n + 1), so that a new one finds as much; one alone, three quarters. */
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
    waiting: { send: new Queue(), poll: new Queue(), retry: new Queue() },
    waitingCount: { send: 0, poll: 0, retry: 0 },
    atWork: { send: 0, poll: 0, retry: 0 },
    awaited: new Map(),
    last: 'retry',
    lastLaterMs: 0,
    lastSendMs: performance.now(),
    sendEveryMs: 0,
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
  return counts.send + counts.poll + counts.retry
}
