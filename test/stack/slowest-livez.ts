export interface SlowestLivez {
  slowestMs: number
  /** The longest that this process itself did not run: then the machine paused. */
  pausedMs: number
}

/** The longest that the process takes to answer that it lives, until `over`. */
export async function slowestLivez(baseUrl: string, over: Promise<unknown>): Promise<SlowestLivez> {
  let [slowestMs, isOver] = [0, false]
  const end = () => (isOver = true)
  over.then(end, end)
  const pauses = watchPauses()
  while (!isOver) {
    const since = performance.now()
    const answer = await fetch(`${baseUrl}/livez`)
    await answer.arrayBuffer()
    if (answer.status !== 200) throw new Error(`/livez answers ${answer.status}`)
    slowestMs = Math.max(slowestMs, performance.now() - since)
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  return { slowestMs: Math.round(slowestMs), pausedMs: pauses.end() }
}

function watchPauses(): { end(): number } {
  let [lastMs, longestMs] = [performance.now(), 0]
  const tick = () => {
    longestMs = Math.max(longestMs, performance.now() - lastMs)
    lastMs = performance.now()
  }
  const timer = setInterval(tick, 50).unref()
  return {
    end() {
      clearInterval(timer)
      tick()
      return Math.round(longestMs)
    },
  }
}
