import { SharedRun } from '@einvoicing/runtime/shared-run'
import type { SqliteThread } from './write-worker-client'

const pauseMs = 500
/** Folded while creations go on; more only when idle. */
const unfoldedMax = 20_000

/** Folds invoices into list rows: before a list that needs them, and when idle. */
export class ListFolding {
  private readonly writer: Pick<SqliteThread, 'write'>
  private readonly timer: NodeJS.Timeout
  // Own writes only: an admin command beside the service leaves the rest to it.
  private unfolded = 0
  private atLastPause = 0
  private readonly runs = new SharedRun()

  constructor(writer: Pick<SqliteThread, 'write'>) {
    this.writer = writer
    this.timer = setInterval(() => this.foldWhenIdle(), pauseMs).unref()
  }

  noteWrite(): void {
    this.unfolded += 1
  }

  /** Resolves when everything committed before the call, by any process, is folded. */
  fold(): Promise<void> {
    return this.runs.request(() => this.run())
  }

  close(): void {
    clearInterval(this.timer)
  }

  private foldWhenIdle(): void {
    const isIdle = this.unfolded === this.atLastPause
    this.atLastPause = this.unfolded
    if (this.unfolded === 0 || (!isIdle && this.unfolded < unfoldedMax)) return
    // A list that needs it reports the same error.
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
