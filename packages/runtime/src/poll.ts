export interface Poll {
  close(): void
}

/** Never runs `work` twice at once. `work` logs its own failures. */
export function pollEvery(everyMs: number, work: () => Promise<void>): Poll {
  let isRunning = false
  const run = async (): Promise<void> => {
    if (isRunning) return
    isRunning = true
    await work().finally(() => (isRunning = false))
  }
  void run()
  const timer = setInterval(() => void run(), everyMs).unref()
  return { close: () => clearInterval(timer) }
}
