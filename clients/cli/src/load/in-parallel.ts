/** Work done by several at once, each taking the next piece when it has done one. */

/** Begins nothing more once `isOver` says so; ends when what was begun has ended. */
export async function inParallel(
  count: number,
  workers: number,
  { isOver, work }: { isOver: () => boolean; work: (index: number) => Promise<void> },
): Promise<void> {
  let next = 0
  const takeTurns = async () => {
    while (next < count && !isOver()) {
      const index = next
      next += 1
      await work(index)
    }
  }
  await Promise.all(Array.from({ length: Math.min(workers, count) }, takeTurns))
}
