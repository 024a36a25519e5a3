import type { ServiceProcess } from './service-process'

/** Ends the process, and throws with all it said, when it ends or is not ready in time. */
export async function untilReady(
  service: ServiceProcess,
  baseUrl: string,
  withinMs: number,
): Promise<void> {
  const giveUpAt = Date.now() + withinMs
  while (service.isRunning() && Date.now() < giveUpAt) {
    if (await isReady(baseUrl)) return
    await new Promise((resolve) => setTimeout(resolve, 30))
  }
  await service.signal('SIGKILL')
  throw new Error(`the service did not become ready; it said:\n${service.output()}`)
}

async function isReady(baseUrl: string): Promise<boolean> {
  try {
    const answer = await fetch(`${baseUrl}/readyz`, { signal: AbortSignal.timeout(5_000) })
    await answer.arrayBuffer()
    return answer.status === 200
  } catch {
    return false // not listening yet
  }
}
