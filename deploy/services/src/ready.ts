/** Waits for `/readyz`, and tells what it says when that takes too long. */

const withinMs = 60_000
const askEveryMs = 100

/** Throws one sentence with what the process is waiting for. */
export async function untilReady(port: number): Promise<void> {
  const url = `http://127.0.0.1:${port}/readyz`
  const giveUpAt = Date.now() + withinMs
  let last = 'it does not listen'
  while (Date.now() < giveUpAt) {
    try {
      const answer = await fetch(url, { signal: AbortSignal.timeout(5_000) })
      last = await answer.text()
      if (answer.ok) return
    } catch {
      // not listening yet
    }
    await new Promise((resolve) => setTimeout(resolve, askEveryMs))
  }
  throw new Error(`${url} did not become ready: ${last}. The logs in DATA_DIR tell more.`)
}
