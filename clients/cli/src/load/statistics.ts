export class Statistics {
  readonly #creationsMs: number[] = []
  /** Creations that failed for good, by code. */
  readonly errors = new Map<string, number>()
  /** Single requests, most of them retried: `HTTP 429`, `no answer`. */
  readonly failures = new Map<string, number>()
  /** Epoch milliseconds until which the service asked to wait. */
  slowUntil = 0

  /** Times each request, without the pauses between them. */
  readonly fetch: typeof fetch = async (input, init) => {
    const startedAt = performance.now()
    const answer = await fetch(input, init).catch((error: unknown) => {
      if (!init?.signal?.aborted) count(this.failures, 'no answer')
      throw error
    })
    if (answer.status === 201) this.#creationsMs.push(performance.now() - startedAt)
    if (answer.status >= 400) count(this.failures, `HTTP ${answer.status}`)
    if (answer.status === 429) {
      this.slowUntil = Date.now() + Number(answer.headers.get('retry-after')) * 1_000
    }
    return answer
  }

  countError(code: string): void {
    count(this.errors, code)
  }

  /** Milliseconds within which this share of creations finished; `null` before the first. */
  percentileMs(share: number): number | null {
    const sorted = this.#creationsMs.toSorted((one, other) => one - other)
    const value = sorted[Math.min(sorted.length - 1, Math.ceil(sorted.length * share) - 1)]
    return value === undefined ? null : Math.round(value * 10) / 10
  }
}

const count = (counts: Map<string, number>, name: string) =>
  counts.set(name, (counts.get(name) ?? 0) + 1)
