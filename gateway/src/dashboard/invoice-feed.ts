/**
 * What changes among one organization's invoices, asked of the invoices service once a second for
 * as long as anybody here listens, and told to all who do (docs/decisions/0043).
 *
 * A change is dated before it can be seen: it is signed and committed first, and another process
 * may have another clock. So each question looks back a little, every tenth further, and what was
 * told already is not told again.
 */

import { randomUUID } from 'node:crypto'
import type { Log } from '@einvoicing/runtime/log'
import { limits } from '@einvoicing/domain/limits'
import { ApiError } from '@einvoicing/domain/api-error'
import type { Service } from '@einvoicing/rpc/call'
import type { InvoiceChange, InvoicesService } from '@einvoicing/proto/invoices'

export interface FeedDeps {
  invoices: Service<InvoicesService>
  log: Log
}

/**
 * A moment by the clock of the invoices service, ISO 8601: all that could be seen then is told, or
 * comes within `lookBackMs.far`.
 */
export type Cursor = string

export interface Listener {
  /** From `at` on every change is told. */
  ready(at: Cursor): void
  changed(change: InvoiceChange, cursor: Cursor): void
  /** Nothing can be told for now; `ready` or the next change says that it is over. */
  away(): void
}

const pauseMs = 1_000
const askDeadlineMs = 5_000

/** Far: what a creation may last, half of that for clocks, and until the next such look. */
export const lookBackMs = { near: 2_000, far: 25_000 } as const
const farEvery = 10

export class InvoiceFeed {
  private readonly listeners = new Set<Listener>()
  /** Those of them that were not told yet from where on they hear. */
  private readonly unready = new Set<Listener>()
  private readonly told = new Map<string, string>()
  private readonly requestId = `events-${randomUUID()}`
  private position: Cursor | undefined
  private questions = 0
  private isAway = false
  private isLooking = false
  private timer: NodeJS.Timeout | undefined
  private readonly organizationId: string
  private readonly deps: FeedDeps

  constructor(organizationId: string, deps: FeedDeps) {
    this.organizationId = organizationId
    this.deps = deps
  }

  get listenerCount(): number {
    return this.listeners.size
  }

  add(listener: Listener): void {
    this.listeners.add(listener)
    if (this.listeners.size === 1) this.askIn(0)
    if (this.position !== undefined && !this.isAway && !this.isLooking) {
      listener.ready(this.position)
    } else {
      this.unready.add(listener)
      if (this.isAway) listener.away()
    }
  }

  /** Without a listener nothing is asked any more. */
  remove(listener: Listener): void {
    this.listeners.delete(listener)
    this.unready.delete(listener)
    if (this.listeners.size === 0) clearTimeout(this.timer)
  }

  /** Every change from `since` on, page by page. */
  async *changesSince(since: Cursor): AsyncGenerator<{ changes: InvoiceChange[]; at: Cursor }> {
    const count = limits.changesListed
    for (let from = { since, behind: '' }; ;) {
      const page = await this.ask({ ...from, count })
      yield page
      const last = page.changes.at(-1)
      if (!last || page.changes.length < count) return
      from = { since: last.updatedAt, behind: last.invoiceId }
    }
  }

  private askIn(ms: number): void {
    clearTimeout(this.timer)
    this.timer = setTimeout(() => void this.look(), ms)
  }

  private async look(): Promise<void> {
    this.isLooking = true
    try {
      this.position = await (this.position === undefined
        ? this.begin()
        : this.tellSince(this.position))
      this.isAway = false
      for (const listener of this.unready) listener.ready(this.position)
      this.unready.clear()
    } catch (error) {
      this.tellAway(error)
    }
    this.isLooking = false
    if (this.listeners.size > 0) this.askIn(pauseMs)
  }

  private async begin(): Promise<Cursor> {
    const { at } = await this.ask({ since: '', behind: '', count: 0 })
    // Whoever reads its list after `ready` finds these there.
    for await (const { changes } of this.changesSince(before(at, lookBackMs.far))) {
      for (const change of changes) this.told.set(change.invoiceId, change.updatedAt)
    }
    return at
  }

  private async tellSince(position: Cursor): Promise<Cursor> {
    this.questions += 1
    const isFar = this.isAway || this.questions % farEvery === 0
    const since = before(position, isFar ? lookBackMs.far : lookBackMs.near)
    let reached = position
    let firstRead: Cursor | undefined
    let last: InvoiceChange | undefined
    try {
      for await (const { changes, at } of this.changesSince(since)) {
        firstRead ??= at
        for (const change of changes.filter((one) => this.isNews(one))) {
          // Who loses the connection in the middle shall be told all of them again.
          if (last) this.tell(last, position)
          last = change
        }
      }
      reached = firstRead ?? position
    } finally {
      if (last) this.tell(last, reached)
    }
    if (isFar) this.forgetBefore(before(reached, 2 * lookBackMs.far))
    return reached
  }

  private isNews({ invoiceId, updatedAt }: InvoiceChange): boolean {
    const known = this.told.get(invoiceId)
    if (known !== undefined && known >= updatedAt) return false
    this.told.set(invoiceId, updatedAt)
    return true
  }

  private tell(change: InvoiceChange, cursor: Cursor): void {
    for (const listener of this.listeners) {
      if (!this.unready.has(listener)) listener.changed(change, cursor)
    }
  }

  private forgetBefore(moment: Cursor): void {
    for (const [invoiceId, updatedAt] of this.told) {
      if (updatedAt < moment) this.told.delete(invoiceId)
    }
  }

  private tellAway(error: unknown): void {
    if (!this.isAway && !(error instanceof ApiError)) {
      this.deps.log.error({ err: error, requestId: this.requestId }, 'changes cannot be asked for')
    }
    if (!this.isAway) for (const listener of this.listeners) listener.away()
    this.isAway = true
  }

  private ask(request: { since: string; behind: string; count: number }) {
    const { organizationId, requestId } = this
    return this.deps.invoices.listChanges(request, {
      caller: { service: 'gateway', organizationId, actor: 'service:gateway' },
      requestId,
      deadline: Date.now() + askDeadlineMs,
    })
  }
}

export function before(moment: Cursor, ms: number): Cursor {
  return new Date(Date.parse(moment) - ms).toISOString()
}
