/** Written in the background: a crash loses at most the records since the last batch. */

import type { Log } from '@einvoicing/runtime/log'

export class BatchedMoments {
  private unwritten = new Map<string, string>()
  private readonly record: (momentsById: ReadonlyMap<string, string>) => Promise<void>
  private readonly what: string
  private readonly log: Log
  private readonly timer: NodeJS.Timeout

  constructor(
    what: string,
    record: (momentsById: ReadonlyMap<string, string>) => Promise<void>,
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

  async write(): Promise<void> {
    if (this.unwritten.size === 0) return
    const batch = this.unwritten
    this.unwritten = new Map()
    try {
      await this.record(batch)
    } catch (err) {
      this.log.warn({ err }, `could not write ${this.what}, retrying`)
      this.unwritten = new Map([...batch, ...this.unwritten])
    }
  }

  async close(): Promise<void> {
    clearInterval(this.timer)
    await this.write()
  }
}
