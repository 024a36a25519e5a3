/**
 * The pauses that the platform asked for (`Retry-After`).
 *
 * A pause holds the organization whose call was answered with it. Whether it is meant for all, the
 * next call of another organization shows, one at a time: asked to pause as well, everyone pauses;
 * answered, only the first one does.
 */

export class Pauses {
  private readonly untilMs = new Map<string, number>()
  /** Organizations that were asked to pause, with no usable answer to anyone since. */
  private readonly pausedOrganizations = new Set<string>()
  private latestMs = 0
  private allUntilMs = 0
  /** Calls under way that will show whether a pause is for all. */
  private probes = 0

  /** How long to wait, in milliseconds, or `undefined` when a call may be made. */
  findHoldMs(organizationId: string, nowMs: number): number | undefined {
    const ownMs = this.untilMs.get(organizationId) ?? 0
    const pauseMs = Math.max(this.allUntilMs, ownMs) - nowMs
    if (pauseMs > 0) return pauseMs
    return this.isInDoubt(nowMs) && this.probes > 0 ? 0 : undefined
  }

  /** A call that was not held begins; returns what to do when it has ended. */
  begin(nowMs: number): () => void {
    if (!this.isInDoubt(nowMs)) return () => undefined
    this.probes += 1
    return () => {
      this.probes -= 1
    }
  }

  /** Returns whether from now on everyone pauses. */
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

  /** The platform gave a usable answer: what pauses run are not meant for all. */
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
