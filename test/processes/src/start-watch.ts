/**
 * Watches a start: waits for each `/readyz`, and ends the waiting at once when a process refuses to
 * start, in that process's own words.
 */

const withinMs = 60_000
const askEveryMs = 100

export class StartWatch {
  private refusal: string | undefined

  readonly refuse = (sentence: string): void => {
    this.refusal ??= sentence
  }

  /** Throws one sentence with what keeps it from being ready. */
  async untilReady(port: number, path: '/readyz' | '/livez' = '/readyz'): Promise<void> {
    const url = `http://127.0.0.1:${port}${path}`
    const giveUpAt = Date.now() + withinMs
    let last = 'it does not listen'
    while (Date.now() < giveUpAt) {
      const answer = await ask(url)
      // Asked first: another process may be the one that answers on this port.
      if (this.refusal !== undefined) throw new Error(this.refusal)
      if (answer?.ok) return
      last = answer?.said ?? last
      await new Promise((resolve) => setTimeout(resolve, askEveryMs))
    }
    throw new Error(`${url} did not become ready: ${last}. The logs in DATA_DIR tell more.`)
  }
}

async function ask(url: string): Promise<{ ok: boolean; said: string } | undefined> {
  try {
    const answer = await fetch(url, { signal: AbortSignal.timeout(5_000) })
    return { ok: answer.ok, said: await answer.text() }
  } catch {
    return undefined // not listening yet
  }
}
