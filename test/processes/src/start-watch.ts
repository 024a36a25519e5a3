/**
 * Waits for each `/readyz`, and throws at once when a process cannot start, with that process's own
 * message.
 */

const withinMs = 60_000
const pollEveryMs = 100

export class StartWatch {
  private startError: string | undefined

  readonly fail = (message: string): void => {
    this.startError ??= message
  }

  /** Throws an error that says why it is not ready. */
  async untilReady(port: number, path: '/readyz' | '/livez' = '/readyz'): Promise<void> {
    const url = `http://127.0.0.1:${port}${path}`
    const giveUpAt = Date.now() + withinMs
    let last = 'it does not listen'
    while (Date.now() < giveUpAt) {
      const answer = await get(url)
      // Checked first: another process may be the one that answers on this port.
      if (this.startError !== undefined) throw new Error(this.startError)
      if (answer?.ok) return
      last = answer?.body ?? last
      await new Promise((resolve) => setTimeout(resolve, pollEveryMs))
    }
    throw new Error(`${url} did not become ready: ${last}. See the logs in DATA_DIR.`)
  }
}

async function get(url: string): Promise<{ ok: boolean; body: string } | undefined> {
  try {
    const answer = await fetch(url, { signal: AbortSignal.timeout(5_000) })
    return { ok: answer.ok, body: await answer.text() }
  } catch {
    return undefined // not listening yet
  }
}
