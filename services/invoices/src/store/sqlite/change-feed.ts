import { receiveMessageOnPort, type MessagePort } from 'node:worker_threads'
import type { ListMessage } from './list-changes'

/** Receives the writer's commits in order; some of them may have failed. */
export class ChangeFeed {
  private readonly port: MessagePort
  private readonly isWanted: Int32Array
  private waiting: ListMessage[] = []

  constructor(port: MessagePort, isWanted: Int32Array) {
    this.port = port
    this.isWanted = isWanted
  }

  onMessage(handle: () => void): void {
    this.port.on('message', (message: ListMessage) => {
      this.waiting.push(message)
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

  /** No longer in progress: the writer sends the next change only after the commit. */
  takeSettled(): ListMessage[] {
    this.receive()
    return this.waiting.splice(0, Math.max(0, this.waiting.length - 1))
  }

  takeUpTo(sequence: number): ListMessage[] {
    this.receive()
    return this.waiting.splice(0, this.waiting.findIndex((sent) => sent.sequence === sequence) + 1)
  }

  private receive(): void {
    for (;;) {
      const received: { message: ListMessage } | undefined = receiveMessageOnPort(this.port)
      if (!received) return
      this.waiting.push(received.message)
    }
  }
}
