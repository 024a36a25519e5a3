/** `Retry-After` pauses one organization; if the next one must pause too, all of them. */

export class Pauses {
  private readonly untilMs = new Map<string, number>()
  /** Paused, with no usable answer to any organization since. */
  private readonly pausedOrganizations = new Set<string>()
  private latestMs = 0
  private allUntilMs = 0
  /** Running calls that will show whether a pause is for all. */
  private probes = 0

  /** `undefined` when a call may be made. */
  findHoldMs(organizationId: string, nowMs: number): number | undefined {
    const ownMs = this.untilMs.get(organizationId) ?? 0
    const pauseMs = Math.max(this.allUntilMs, ownMs) - nowMs
    if (pauseMs > 0) return pauseMs
    return this.isInDoubt(nowMs) && this.probes > 0 ? 0 : undefined
  }

  /** Call the result when the call has ended. */
  begin(nowMs: number): () => void {
    if (!this.isInDoubt(nowMs)) return () => undefined
    this.probes += 1
    return () => {
      this.probes -= 1
    }
  }

  /** Returns whether all pause now. */
  pause(organizationId: string, pauseMs: number, nowMs: number): boolean {
    if (!this.isInDoubt(nowMs)) this.pausedOrganizations.clear()
    this.forgetPast(nowMs)
    const untilMs = nowMs + pauseMs
    this.pausedOrganizations.add(organizationId)
    this.untilMs.set(organizationId, Math.max(untilMs, this.untilMs.get(organizationId) ?? 0))
    this.latestMs = Math.max(this.latestMs, untilMs)
    if (this.pausedOrganizations.size > 1) this.allUntilMs = this.latestMs
    return this.pausedOrganizations.size > 1
  }

  answered(): void {
    this.pausedOrganizations.clear()
  }

  private isInDoubt(nowMs: number): boolean {
    return this.pausedOrganizations.size > 0 && this.latestMs > nowMs
  }

  private forgetPast(nowMs: number): void {
    if (this.latestMs <= nowMs) this.untilMs.clear()
  }
}
