/** Repeats the attempt until it succeeds; after the deadline throws its last error. */
export async function eventually<T>(
  attempt: () => T | Promise<T>,
  withinMs = 45_000,
  pauseMs = 100,
): Promise<T> {
  const giveUpAt = Date.now() + withinMs
  for (;;) {
    try {
      return await attempt()
    } catch (error) {
      if (Date.now() > giveUpAt) throw error
    }
    await new Promise((resolve) => setTimeout(resolve, pauseMs))
  }
}
