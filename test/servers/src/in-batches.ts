/** Visits all, some at once: what is visited answers within a deadline, on a busy machine too. */
export async function inBatches<T>(
  all: readonly T[],
  visit: (item: T, at: number) => Promise<unknown>,
  atOnce = 8,
): Promise<void> {
  for (let at = 0; at < all.length; at += atOnce) {
    await Promise.all(all.slice(at, at + atOnce).map((item, index) => visit(item, at + index)))
  }
}
