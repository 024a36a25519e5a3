import { receiveMessageOnPort, type MessagePort } from 'node:worker_threads'
import type { ListChange, ListMessage } from './list-changes'

type Sent = Extract<ListMessage, { changes: ListChange[] }>

/** Receives the writer's commits in order, without failed ones. */
export class ChangeFeed {
  private readonly port: MessagePort
  private readonly isWanted: Int32Array
  private waiting: Sent[] = []

  constructor(port: MessagePort, isWanted: Int32Array) {
    this.port = port
    this.isWanted = isWanted
  }

  onMessage(handle: () => void): void {
    this.port.on('message', (message: ListMessage) => {
      this.accept(message)
      handle()
    })
  }

  start(): void {
    Atomics.store(this.isWanted, 0, 1)
  }

  stop(): void {
    Atomics.store(this.isWanted, 0, 0)
    this.waiting = []
  }

  /** Committed: the writer sends the next change only after the commit. */
  takeSettled(): Sent[] {
    this.receive()
    return this.waiting.splice(0, Math.max(0, this.waiting.length - 1))
  }

  takeUpTo(sequence: number): Sent[] {
    this.receive()
    const later = this.waiting.findIndex((sent) => sent.sequence > sequence)
    return this.waiting.splice(0, later === -1 ? this.waiting.length : later)
  }

  private receive(): void {
    for (;;) {
      const received: { message: ListMessage } | undefined = receiveMessageOnPort(this.port)
      if (!received) return
      this.accept(received.message)
    }
  }

  private accept(message: ListMessage): void {
    if ('changes' in message) this.waiting.push(message)
    else if (this.waiting.at(-1)?.sequence === message.sequence) this.waiting.pop()
  }
}
