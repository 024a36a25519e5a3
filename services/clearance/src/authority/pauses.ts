/**
 * Pauses by `Retry-After`. A pause holds its own organization. The next call of another one, one at
 * a time, shows whether it is meant for all: if that has to pause as well, all pause; if it is
 * answered, only the first does.
 */

export class Pauses {
  private readonly untilMs = new Map<string, number>()
  /** With no usable answer to any organization since. */
  private readonly pausedOrganizations = new Set<string>()
  private latestMs = 0
  private allUntilMs = 0
  /** Running calls that will show whether a pause is for all. */
  private probes = 0

  /** Milliseconds to wait, or `undefined` when a call may be made. */
  findHoldMs(organizationId: string, nowMs: number): number | undefined {
    const ownMs = this.untilMs.get(organizationId) ?? 0
    const pauseMs = Math.max(this.allUntilMs, ownMs) - nowMs
    if (pauseMs > 0) return pauseMs
    return this.isInDoubt(nowMs) && this.probes > 0 ? 0 : undefined
  }

  /** The result ends the call. */
  begin(nowMs: number): () => void {
    if (!this.isInDoubt(nowMs)) return () => undefined
    this.probes += 1
    return () => {
      this.probes -= 1
    }
  }

  /** Returns whether from now on all pause. */
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
