/** Starts nothing more once `isOver` is true; resolves when everything started has ended. */
export async function inParallel(
  count: number,
  workers: number,
  { isOver, work }: { isOver: () => boolean; work: (index: number) => Promise<void> },
): Promise<void> {
  let next = 0
  const runWorker = async () => {
    while (next < count && !isOver()) {
      const index = next
      next += 1
      await work(index)
    }
  }
  await Promise.all(Array.from({ length: Math.min(workers, count) }, runWorker))
}
