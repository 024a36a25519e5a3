import type { QueryClient, QueryKey } from '@tanstack/react-query'
import { invoicesKey } from '../api/invoices'
import type { LiveState } from './event-stream'

// At most the twenty requests a minute of decision 0146, of which polls are twelve.
const paces = {
  live: { burst: 8, msPerRequest: 5_000 },
  polling: { burst: 2, msPerRequest: 10_000 },
}

const pauseMs = 1_000
const pauseFactor = 4

/** Reads shown queries of invoices again, while the page is visible. */
export class Refresher {
  readonly #queries: QueryClient
  #stale = new Set<string>()
  #isRunning = false
  #pace = paces.live
  #requests = 0
  #countedAt = Date.now()

  constructor(queries: QueryClient) {
    this.#queries = queries
  }

  setState(state: LiveState): void {
    this.#pace = paces[state === 'polling' ? 'polling' : 'live']
  }

  refresh(invoiceId: string): void {
    // What is not shown, or of another invoice, is read again when it is shown next.
    void this.#queries.invalidateQueries({ queryKey: invoicesKey, refetchType: 'none' })
    for (const { queryKey, queryHash } of this.#listShown()) {
      if (concerns(queryKey, invoiceId)) this.#stale.add(queryHash)
    }
    this.resume()
  }

  resume(): void {
    if (!this.#isRunning) void this.#run()
  }

  async #run(): Promise<void> {
    this.#isRunning = true
    while (this.#stale.size > 0 && document.visibilityState === 'visible') {
      const count = this.#listShown().filter(({ queryHash }) => this.#stale.has(queryHash)).length
      const waitMs = this.#findWaitMs(count)
      await (waitMs > 0 ? sleep(waitMs) : this.#refetch(count))
    }
    this.#isRunning = false
  }

  // The next request waits for the response, longer the slower it was.
  async #refetch(count: number): Promise<void> {
    this.#requests += count
    const taken = this.#stale
    this.#stale = new Set()
    const startedAt = Date.now()
    await this.#queries.refetchQueries({
      type: 'active',
      predicate: ({ queryHash }) => taken.has(queryHash),
    })
    await sleep(Math.max(pauseMs, pauseFactor * (Date.now() - startedAt)))
  }

  #findWaitMs(count: number): number {
    const { burst, msPerRequest } = this.#pace
    const now = Date.now()
    this.#requests = Math.max(0, this.#requests - (now - this.#countedAt) / msPerRequest)
    this.#countedAt = now
    return Math.ceil(Math.min(this.#requests, this.#requests + count - burst) * msPerRequest)
  }

  #listShown() {
    return this.#queries.getQueryCache().findAll({ queryKey: invoicesKey, type: 'active' })
  }
}

function concerns([, kind, id]: QueryKey, invoiceId: string): boolean {
  const isOfOne = kind === 'one' || kind === 'timeline'
  return !isOfOne || invoiceId === 'any' || id === invoiceId
}

const sleep = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))
