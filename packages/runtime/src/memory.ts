import { setFlagsFromString } from 'node:v8'

/**
 * Of a worker thread: at most 12 MiB of new objects between two collections. Node's default is 48
 * MiB, which a working thread soon fills and never returns; with 6 MiB, the objects of one document
 * outlive a collection and cost more later.
 */
export const threadMemory = { maxYoungGenerationSizeMb: 12 } as const

/**
 * The old heap is collected when it has grown by `growingPercent` since the last time. By itself V8
 * lets a small heap grow fourfold and an idle one hardly at all, so that a process that was idle is
 * collected several times a second once it has work again (decision 0127). Young heaps are so small
 * that helper threads cost more than they save. No object begins its life in the old heap, where V8
 * puts those that are made where earlier ones outlived a collection: in a busy process these are
 * requests (decision 0126). Call it before any thread starts.
 */
export function setHeapFlags({ growingPercent }: { growingPercent: number }): void {
  setFlagsFromString(`--heap-growing-percent=${growingPercent}`)
  setFlagsFromString('--initial-old-space-size=24')
  setFlagsFromString('--no-parallel-scavenge')
  setFlagsFromString('--no-allocation-site-pretenuring')
}
