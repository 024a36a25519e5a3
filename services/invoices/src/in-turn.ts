const lasts = new WeakMap<object, Map<string, Promise<unknown>>>()

/** Runs calls with the same owner and key one after the other. */
export async function inTurn<T>(owner: object, key: string, work: () => Promise<T>): Promise<T> {
  const last = lasts.get(owner) ?? new Map<string, Promise<unknown>>()
  lasts.set(owner, last)
  const before = last.get(key) ?? Promise.resolve()
  const done = before.then(work)
  const settled = done.catch(() => undefined)
  last.set(key, settled)
  try {
    return await done
  } finally {
    if (last.get(key) === settled) last.delete(key)
  }
}
