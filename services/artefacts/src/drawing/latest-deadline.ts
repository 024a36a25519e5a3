/** Of work that several callers share: it is abandoned when none of them has time left. */
export class LatestDeadline {
  private readonly controller = new AbortController()
  private readonly longest: number
  private latest = -Infinity
  private timer: NodeJS.Timeout | undefined

  /** However late callers join. */
  constructor(longestMs: number) {
    this.longest = Date.now() + longestMs
  }

  get signal(): AbortSignal {
    return this.controller.signal
  }

  extend(deadline: number): void {
    const latest = Math.min(deadline, this.longest)
    if (latest <= this.latest) return
    this.latest = latest
    clearTimeout(this.timer)
    this.timer = setTimeout(() => this.controller.abort(), Math.max(0, latest - Date.now()))
  }

  /** The work has ended. */
  end(): void {
    clearTimeout(this.timer)
  }
}
