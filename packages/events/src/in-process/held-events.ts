import type { InvoiceEvent } from '../event'

export interface Held {
  event: InvoiceEvent
  attempt: number
  /** In a row: one failure after many deliveries is not a failing event. */
  failures: number
  timer?: NodeJS.Timeout | undefined
}

interface Organization {
  count: number
  waiting: Set<Held>
}

export class HeldEvents {
  private readonly ids = new Set<string>()
  private readonly organizations = new Map<string, Organization>()
  /** Those with an event that waits, by their counts: 20,000 events make 199 counts at most. */
  private readonly waitingByCount = new Map<number, Set<Organization>>()

  get size(): number {
    return this.ids.size
  }

  has(eventId: string): boolean {
    return this.ids.has(eventId)
  }

  add({ event }: Held): void {
    const { id, organizationid } = event
    const organization = this.organizations.get(organizationid) ?? { count: 0, waiting: new Set() }
    this.organizations.set(organizationid, organization)
    this.move(organization, () => (organization.count += 1))
    this.ids.add(id)
  }

  delete({ event }: Held): void {
    const { id, organizationid } = event
    const organization = this.organizations.get(organizationid)
    if (!this.ids.delete(id) || !organization) return
    this.move(organization, () => (organization.count -= 1))
    if (organization.count === 0) this.organizations.delete(organizationid)
  }

  beginWait(held: Held, timer: NodeJS.Timeout): void {
    held.timer = timer
    const organization = this.organizations.get(held.event.organizationid)
    if (organization) this.move(organization, () => organization.waiting.add(held))
  }

  endWait(held: Held): void {
    held.timer = undefined
    const organization = this.organizations.get(held.event.organizationid)
    if (organization) this.move(organization, () => organization.waiting.delete(held))
  }

  stopWaiting(): void {
    for (const { waiting } of this.organizations.values()) {
      for (const { timer } of waiting) clearTimeout(timer)
      waiting.clear()
    }
    this.waitingByCount.clear()
  }

  /** Whether another organization holds more events, one of them waiting. */
  canEvict({ organizationid }: InvoiceEvent): boolean {
    const own = this.organizations.get(organizationid)?.count ?? 0
    return this.mostWaiting() > own + 1
  }

  evictOldest(): void {
    const [organization] = this.waitingByCount.get(this.mostWaiting()) ?? []
    const [oldest] = organization?.waiting ?? []
    if (!oldest) return
    clearTimeout(oldest.timer)
    this.endWait(oldest)
    this.delete(oldest)
  }

  private mostWaiting(): number {
    return Math.max(0, ...this.waitingByCount.keys())
  }

  private move(organization: Organization, change: () => unknown): void {
    const before = this.waitingByCount.get(organization.count)
    before?.delete(organization)
    if (before?.size === 0) this.waitingByCount.delete(organization.count)
    change()
    if (organization.waiting.size === 0) return
    const after = this.waitingByCount.get(organization.count) ?? new Set()
    this.waitingByCount.set(organization.count, after.add(organization))
  }
}
