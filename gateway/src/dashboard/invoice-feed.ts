/**
 * Polled while there are listeners (docs/decisions/0043). A change is dated before it is visible,
 * and clocks differ: each poll looks back, and skips what was already sent.
 */

import { serviceCaller } from '@einvoicing/rpc/caller'
import { randomUUID } from 'node:crypto'
import type { Log } from '@einvoicing/runtime/log'
import { limits } from '@einvoicing/domain/limits'
import { ApiError } from '@einvoicing/domain/api-error'
import type { Service } from '@einvoicing/rpc/call'
import type { InvoiceChange, InvoicesService, ListChangesRequest } from '@einvoicing/proto/invoices'

export interface FeedDeps {
  invoices: Service<InvoicesService>
  log: Log
}

/** By the clock of the invoices service. Later changes will be sent within `lookBackMs.far`. */
export type Cursor = string

export interface Listener {
  /** Every change after `at` will be sent. */
  ready(at: Cursor): void
  changed(change: InvoiceChange, cursor: Cursor): void
  /** Ends with `ready` or the next change. */
  unavailable(): void
}

const pauseMs = 1_000
const pollDeadlineMs = 5_000

// Far: the deadline of a creation, half as much for clocks, and the time until the next far look.
export const lookBackMs = { near: 2_000, far: 25_000 } as const
const farEvery = 10

export class InvoiceFeed {
  private readonly listeners = new Set<Listener>()
  private readonly unready = new Set<Listener>()
  private readonly sentVersions = new Map<string, string>()
  private readonly requestId = `events-${randomUUID()}`
  private position: Cursor | undefined
  private polls = 0
  private isUnavailable = false
  private isPolling = false
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
    if (this.listeners.size === 1) this.pollIn(0)
    if (this.position !== undefined && !this.isUnavailable && !this.isPolling) {
      listener.ready(this.position)
    } else {
      this.unready.add(listener)
      if (this.isUnavailable) listener.unavailable()
    }
  }

  remove(listener: Listener): void {
    this.listeners.delete(listener)
    this.unready.delete(listener)
    if (this.listeners.size === 0) clearTimeout(this.timer)
  }

  async *changesSince(
    since: Cursor,
    aheadMs?: number,
  ): AsyncGenerator<{ changes: InvoiceChange[]; at: Cursor }> {
    const count = limits.changesListed
    for (let from = { since, behind: '' }; ;) {
      const page = await this.listChanges({ ...from, count, aheadMs })
      yield page
      const last = page.changes.at(-1)
      if (!last || page.changes.length < count) return
      from = { since: last.updatedAt, behind: last.invoiceId }
    }
  }

  private pollIn(ms: number): void {
    clearTimeout(this.timer)
    this.timer = setTimeout(() => void this.poll(), ms)
  }

  private async poll(): Promise<void> {
    this.isPolling = true
    try {
      this.position = await (this.position === undefined
        ? this.begin()
        : this.sendChangesSince(this.position))
      this.isUnavailable = false
      for (const listener of this.unready) listener.ready(this.position)
      this.unready.clear()
    } catch (error) {
      this.reportUnavailable(error)
    }
    this.isPolling = false
    if (this.listeners.size > 0) this.pollIn(pauseMs)
  }

  private async begin(): Promise<Cursor> {
    const { at } = await this.listChanges({ since: '', behind: '', count: 0 })
    // A client that reads its list after `ready` has these.
    for await (const { changes } of this.changesSince(subtractMs(at, lookBackMs.far))) {
      for (const change of changes) this.sentVersions.set(change.invoiceId, change.updatedAt)
    }
    return at
  }

  private async sendChangesSince(position: Cursor): Promise<Cursor> {
    this.polls += 1
    const isFar = this.isUnavailable || this.polls % farEvery === 0
    const since = subtractMs(position, isFar ? lookBackMs.far : lookBackMs.near)
    let reached = position
    let firstRead: Cursor | undefined
    let last: InvoiceChange | undefined
    try {
      // Those dated by a clock far ahead stay the newest until the time comes.
      const aheadMs = isFar ? undefined : lookBackMs.far
      for await (const { changes, at } of this.changesSince(since, aheadMs)) {
        firstRead ??= at
        for (const change of changes.filter((one) => this.isNew(one))) {
          // A client disconnected in the middle of a page must get the whole page again.
          if (last) this.sendChange(last, position)
          last = change
        }
      }
      reached = firstRead ?? position
    } finally {
      if (last) this.sendChange(last, reached)
    }
    if (isFar) this.forgetBefore(subtractMs(reached, 2 * lookBackMs.far))
    return reached
  }

  private isNew({ invoiceId, updatedAt }: InvoiceChange): boolean {
    const known = this.sentVersions.get(invoiceId)
    if (known !== undefined && known >= updatedAt) return false
    this.sentVersions.set(invoiceId, updatedAt)
    return true
  }

  private sendChange(change: InvoiceChange, cursor: Cursor): void {
    for (const listener of this.listeners) {
      if (!this.unready.has(listener)) listener.changed(change, cursor)
    }
  }

  private forgetBefore(moment: Cursor): void {
    for (const [invoiceId, updatedAt] of this.sentVersions) {
      if (updatedAt < moment) this.sentVersions.delete(invoiceId)
    }
  }

  private reportUnavailable(error: unknown): void {
    if (!this.isUnavailable && !(error instanceof ApiError)) {
      this.deps.log.error({ err: error, requestId: this.requestId }, 'polling for changes failed')
    }
    if (!this.isUnavailable) for (const listener of this.listeners) listener.unavailable()
    this.isUnavailable = true
  }

  private listChanges(request: ListChangesRequest) {
    const { organizationId, requestId } = this
    return this.deps.invoices.listChanges(request, {
      caller: serviceCaller('gateway', organizationId),
      requestId,
      deadline: Date.now() + pollDeadlineMs,
    })
  }
}

export function subtractMs(moment: Cursor, ms: number): Cursor {
  return new Date(Date.parse(moment) - ms).toISOString()
}
