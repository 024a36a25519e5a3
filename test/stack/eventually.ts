/**
 * Waits for what must become true, by asking until it is; what kept it from being true is the
 * failure told.
 */

export async function eventually<T>(
  attempt: () => Promise<T>,
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
