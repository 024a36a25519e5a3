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
    for (const one of started.splice(0).toReversed()) await one.dispose()
  })
  return (one) => {
    started.push(one)
    return one
  }
}
