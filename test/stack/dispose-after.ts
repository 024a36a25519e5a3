interface Started {
  dispose(): Promise<unknown>
}

/**
 * Ends what was started, the last first, in `afterEach` or `afterAll`. Nothing is ended that did
 * not start, so that the cause is the only error reported.
 */
export function disposeAfter(
  hook: (end: () => Promise<void>) => void,
): <T extends Started>(one: T) => T {
  const started: Started[] = []
  hook(async () => {
    const failures: unknown[] = []
    for (const one of started.splice(0).toReversed()) {
      await one.dispose().catch((error: unknown) => failures.push(error))
    }
    if (failures.length > 0) throw failures[0]
  })
  return (one) => {
    started.push(one)
    return one
  }
}
