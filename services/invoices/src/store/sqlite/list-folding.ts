import type { SqliteThread } from './write-worker-client'

const pauseMs = 500
/** So much is folded while creations go on; the rest while nothing is written. */
const unfoldedMax = 20_000

/** Has invoices folded into the rows of lists: before a list that needs them, and when idle. */
export class ListFolding {
  private readonly writer: Pick<SqliteThread, 'write'>
  private readonly timer: NodeJS.Timeout
  private unfolded = 1
  private atLastPause = 0
  private running: Promise<void> = Promise.resolve()
  private next: Promise<void> | undefined

  constructor(writer: Pick<SqliteThread, 'write'>) {
    this.writer = writer
    this.timer = setInterval(() => this.foldWhenIdle(), pauseMs).unref()
  }

  /** Called when a creation or change has been committed. */
  noteWrite(): void {
    this.unfolded += 1
  }

  /** Resolves when whatever was answered before the call is folded. */
  fold(): Promise<void> {
    if (this.unfolded === 0 && !this.next) return this.running
    this.next ??= this.running
      .catch(() => undefined)
      .then(() => {
        this.next = undefined
        this.running = this.run()
        return this.running
      })
    return this.next
  }

  close(): void {
    clearInterval(this.timer)
  }

  private foldWhenIdle(): void {
    const isIdle = this.unfolded === this.atLastPause
    this.atLastPause = this.unfolded
    if (this.unfolded === 0 || (!isIdle && this.unfolded < unfoldedMax)) return
    // A list that needs it meets the same error, and reports it.
    this.fold().catch(() => undefined)
  }

  private async run(): Promise<void> {
    const { unfolded } = this
    this.unfolded = 0
    try {
      while ((await this.writer.write({ kind: 'fold-lists' })) === 'more');
    } catch (error) {
      this.unfolded += unfolded
      throw error
    }
  }
}
