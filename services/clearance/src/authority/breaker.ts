/**
 * Opens when calls for several invoices fail in a row, closes at the first success. Organizations
 * without failures may still make one call at a time, so that a platform that recovers is found at
 * once.
 */

export interface BreakerOptions {
  /** Different invoices that fail in a row until the breaker opens. */
  failingInvoicesMax: number
  /** Until the failed organizations may try again. */
  openMs: number
}

export interface InvoiceRef {
  organizationId: string
  invoiceId: string
}

export type BreakerState = 'closed' | 'open' | 'half-open'

const probesMax = 3
/** Beyond, every organization counts as failed. */
const organizationsMax = 10_000

export class Breaker {
  /** Counts invoices, not calls: one broken invoice that always fails opens nothing. */
  private readonly failingInvoices = new Set<string>()
  private readonly failedOrganizations = new Set<string>()
  /** Organizations with a running call that began while the breaker was open. */
  private readonly probing = new Set<string>()
  private openUntilMs = 0
  private reportedState: BreakerState = 'closed'
  private readonly options: BreakerOptions
  private readonly onChange: (state: BreakerState) => void

  constructor(options: BreakerOptions, onChange: (state: BreakerState) => void) {
    this.options = options
    this.onChange = onChange
    onChange('closed')
  }

  /** `undefined` when a call may be made. */
  findHoldMs(organizationId: string, nowMs: number): number | undefined {
    if (!this.isOpen()) return undefined
    if (this.probing.has(organizationId)) return 0
    if (!this.hasFailed(organizationId)) return undefined
    if (nowMs < this.openUntilMs) return this.openUntilMs - nowMs
    return this.probing.size < probesMax ? undefined : 0
  }

  begin(organizationId: string, nowMs: number): void {
    if (!this.isOpen()) return
    this.probing.add(organizationId)
    if (nowMs >= this.openUntilMs) this.reportState('half-open')
  }

  succeeded(organizationId: string): void {
    this.probing.delete(organizationId)
    this.failingInvoices.clear()
    this.failedOrganizations.clear()
    this.reportState('closed')
  }

  failed({ organizationId, invoiceId }: InvoiceRef, nowMs: number): void {
    const wasOpen = this.isOpen()
    const isRetried = this.probing.delete(organizationId) && this.hasFailed(organizationId)
    if (!wasOpen) this.failingInvoices.add(invoiceId)
    if (!this.hasFailed(organizationId)) this.failedOrganizations.add(organizationId)
    if (!this.isOpen()) return
    if (!wasOpen || isRetried) this.openUntilMs = nowMs + this.options.openMs
    this.reportState('open')
  }

  private isOpen(): boolean {
    return this.failingInvoices.size >= this.options.failingInvoicesMax
  }

  private hasFailed(organizationId: string): boolean {
    const { failedOrganizations } = this
    return failedOrganizations.has(organizationId) || failedOrganizations.size >= organizationsMax
  }

  private reportState(state: BreakerState): void {
    if (state === this.reportedState) return
    this.reportedState = state
    this.onChange(state)
  }
}
