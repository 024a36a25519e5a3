/** One run at a time: all that is requested during a run waits for one more. */
export class SharedRun {
  private running: Promise<void> = Promise.resolve()
  private next: Promise<void> | undefined

  request(run: () => Promise<void>): Promise<void> {
    this.next ??= this.running
      .catch(() => undefined)
      .then(() => {
        this.next = undefined
        this.running = run()
        return this.running
      })
    return this.next
  }

  async settled(): Promise<void> {
    await (this.next ?? this.running)
  }
}
