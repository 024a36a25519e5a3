/** A process on a small machine: how much of its memory may be what no code uses any more. */

import { setFlagsFromString } from 'node:v8'

/**
 * Of a worker thread: what it made last is looked through after 12 MiB at most. Node's default is 48
 * MiB a thread, which a thread that works at all soon reaches and never gives back. With 6 MiB, what
 * one document needs outlives the look and is collected later, at a higher cost.
 */
export const threadMemory = { maxYoungGenerationSizeMb: 12 } as const

/**
 * A heap is collected when it has grown by half; V8 itself lets a small one grow to its fourfold,
 * and a new thread's to hundreds of megabytes before the first time. Young heaps are so small that
 * helper threads cost more than they do. Call it before any thread starts: a heap reads these
 * settings while it runs, so that no command line has to give them.
 */
export function collectSooner(): void {
  setFlagsFromString('--heap-growing-percent=50')
  setFlagsFromString('--initial-old-space-size=24')
  setFlagsFromString('--no-parallel-scavenge')
}
