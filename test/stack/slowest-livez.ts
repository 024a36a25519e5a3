/** The longest that the process takes to answer that it lives, in milliseconds, until `over`. */
export async function slowestLivez(baseUrl: string, over: Promise<unknown>): Promise<number> {
  let [slowestMs, isOver] = [0, false]
  const end = () => (isOver = true)
  over.then(end, end)
  while (!isOver) {
    const since = performance.now()
    const answer = await fetch(`${baseUrl}/livez`)
    await answer.arrayBuffer()
    if (answer.status !== 200) throw new Error(`/livez answers ${answer.status}`)
    slowestMs = Math.max(slowestMs, performance.now() - since)
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  return Math.round(slowestMs)
}
