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
    organization.count += 1
    this.ids.add(id)
  }

  delete({ event }: Held): void {
    const { id, organizationid } = event
    const organization = this.organizations.get(organizationid)
    if (!this.ids.delete(id) || !organization) return
    organization.count -= 1
    if (organization.count === 0) this.organizations.delete(organizationid)
  }

  beginWait(held: Held, timer: NodeJS.Timeout): void {
    held.timer = timer
    this.organizations.get(held.event.organizationid)?.waiting.add(held)
  }

  endWait(held: Held): void {
    held.timer = undefined
    this.organizations.get(held.event.organizationid)?.waiting.delete(held)
  }

  stopWaiting(): void {
    for (const { waiting } of this.organizations.values()) {
      for (const { timer } of waiting) clearTimeout(timer)
      waiting.clear()
    }
  }

  /** Whether another organization holds more events, one of them waiting. */
  canEvict({ organizationid }: InvoiceEvent): boolean {
    const own = this.organizations.get(organizationid)?.count ?? 0
    return (this.mostWaiting()?.count ?? 0) > own + 1
  }

  evictOldest(): void {
    const [oldest] = this.mostWaiting()?.waiting ?? []
    if (!oldest) return
    clearTimeout(oldest.timer)
    this.endWait(oldest)
    this.delete(oldest)
  }

  private mostWaiting(): Organization | undefined {
    let most: Organization | undefined
    for (const organization of this.organizations.values()) {
      if (organization.waiting.size > 0 && organization.count > (most?.count ?? 0))
        most = organization
    }
    return most
  }
}
