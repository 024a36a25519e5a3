/** Rejects calls after failures in a row, then lets one call through after each pause. */

const failuresMax = 5
const firstPauseMs = 5_000
const longestPauseMs = 30_000

export class Breaker {
  private failures = 0
  private pauseMs = firstPauseMs
  private openUntilMs = 0
  private isProbing = false
  private readonly nowMs: () => number

  constructor(nowMs: () => number = () => performance.now()) {
    this.nowMs = nowMs
  }

  async run<T>(work: () => Promise<T>, refused: () => Error): Promise<T> {
    const isOpen = this.failures >= failuresMax
    if (isOpen && (this.isProbing || this.nowMs() < this.openUntilMs)) throw refused()
    this.isProbing = isOpen
    try {
      const answer = await work()
      this.failures = 0
      this.pauseMs = firstPauseMs
      return answer
    } catch (error) {
      this.failed()
      throw error
    } finally {
      if (isOpen) this.isProbing = false
    }
  }

  private failed(): void {
    this.failures += 1
    if (this.failures < failuresMax) return
    this.openUntilMs = this.nowMs() + this.pauseMs
    this.pauseMs = Math.min(longestPauseMs, 2 * this.pauseMs)
  }
}
