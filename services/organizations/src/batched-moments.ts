/** Written in the background: a crash loses at most the records since the last batch. */

import type { Log } from '@einvoicing/runtime/log'

/** A slice stops the event loop for a few milliseconds, and ends within a call's deadline. */
const sliceSize = 250

type RecordMoments = (momentsById: ReadonlyMap<string, string>) => Promise<void>

export class BatchedMoments {
  private readonly unwritten = new Map<string, string>()
  private readonly record: RecordMoments
  private readonly what: string
  private readonly log: Log
  private readonly timer: NodeJS.Timeout
  private writing: Promise<void> | undefined

  constructor(
    what: string,
    record: RecordMoments,
    { log, everyMs }: { log: Log; everyMs: number },
  ) {
    this.what = what
    this.record = record
    this.log = log
    this.timer = setInterval(() => void this.write(), everyMs).unref()
  }

  note(id: string, at: Date): void {
    this.unwritten.set(id, at.toISOString())
  }

  noted(id: string): string | undefined {
    return this.unwritten.get(id)
  }

  /** Logs an error of the store; what it did not write is written with the next batch. */
  write(): Promise<void> {
    return (this.writing ??= this.writeSlices().finally(() => (this.writing = undefined)))
  }

  async close(): Promise<void> {
    clearInterval(this.timer)
    await this.writing
    await this.write()
  }

  private async writeSlices(): Promise<void> {
    const batch = [...this.unwritten.keys()]
    try {
      for (let from = 0; from < batch.length; from += sliceSize) {
        if (from > 0) await new Promise(setImmediate)
        await this.writeSlice(batch.slice(from, from + sliceSize))
      }
    } catch (err) {
      this.log.warn({ err }, `could not write ${this.what}, retrying`)
    }
  }

  private async writeSlice(ids: readonly string[]): Promise<void> {
    const slice = new Map(ids.map((id) => [id, this.unwritten.get(id) ?? '']))
    await this.record(slice)
    for (const [id, at] of slice) if (this.unwritten.get(id) === at) this.unwritten.delete(id)
  }
}
