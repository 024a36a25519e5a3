/**
 * Writes go to the thread a few at a time; what waits there becomes one batch, so that one fsync
 * serves many. When the thread dies, the outcome of what it was sent is unknown.
 */

import path from 'node:path'
import { Worker } from 'node:worker_threads'
import { noAnswer, unavailable } from '@einvoicing/domain/api-error'
import type { Log } from '@einvoicing/runtime/log'
import type { Fail } from '@einvoicing/runtime/serve'
import { threadMemory } from '@einvoicing/runtime/memory'
import type { Batch, BatchAnswer, Command, Outcome } from './commands'
import type { ListSubscriber } from './list-writer'
import { joinDocuments } from './ready-write'

// It begins with these while the event loop prepares the others of the same turn.
const sentTogether = 8
const waitingMax = 10_000

const writerFile = path.join(__dirname, 'write-worker.js')

interface Sent {
  resolve: (outcome: Outcome) => void
  reject: (error: Error) => void
}

interface Waiting extends Sent {
  command: Command
}

export class SqliteThread {
  private waiting: Waiting[] = []
  /** In order, as they are answered. */
  private sent: Sent[] = []
  private turn: NodeJS.Immediate | undefined
  private dead: Error | undefined
  private closing = false
  private readonly worker: Worker
  private readonly fail: Fail

  private constructor(worker: Worker, fail: Fail) {
    this.worker = worker
    this.fail = fail
    worker.on('message', (answer: BatchAnswer) => this.settle(answer))
    worker.on('error', (error) => this.die(error))
    worker.on('messageerror', (error) => this.die(error))
    worker.on('exit', () => this.die(new Error('the writer thread ended')))
  }

  /** Calls `fail` when the thread ends unexpectedly. */
  static async open(file: string, fail: Fail, log?: Log): Promise<SqliteThread> {
    const worker = new Worker(writerFile, { workerData: { file }, resourceLimits: threadMemory })
    await new Promise<void>((resolve, reject) => {
      worker.once('error', reject)
      worker.on('message', function untilReady(answer: BatchAnswer) {
        if (answer.kind === 'preparing') {
          log?.info(answer.progress, 'preparing the invoice lists after an upgrade')
          return
        }
        worker.off('message', untilReady)
        resolve()
      })
    })
    return new SqliteThread(worker, fail)
  }

  subscribe(subscriber: ListSubscriber): void {
    if (this.dead) return
    this.worker.postMessage(subscriber, [subscriber.port])
  }

  write(command: Command): Promise<Outcome> {
    if (this.dead) return Promise.reject(unavailable('The invoice store', this.dead))
    if (this.waiting.length + this.sent.length >= waitingMax) {
      const cause = new Error(`${waitingMax} writes are waiting`)
      return Promise.reject(unavailable('The invoice store', cause))
    }
    return new Promise((resolve, reject) => {
      this.waiting.push({ command, resolve, reject })
      if (this.waiting.length >= sentTogether) this.send()
      else this.turn ??= setImmediate(() => this.send())
    })
  }

  check(): void {
    if (this.dead) throw unavailable('The invoice store', this.dead)
  }

  async close(): Promise<void> {
    this.send()
    while (this.sent.length > 0 && !this.dead) await new Promise(setImmediate)
    if (this.dead) return
    this.closing = true
    const ended = new Promise((resolve) => this.worker.once('exit', resolve))
    this.worker.postMessage('close')
    await ended
  }

  private send(): void {
    clearImmediate(this.turn)
    this.turn = undefined
    if (this.waiting.length === 0 || this.dead) return
    const commands = this.waiting.map(({ command }) => command)
    for (const { resolve, reject } of this.waiting) this.sent.push({ resolve, reject })
    this.waiting = []
    const documents = joinDocuments(
      commands.flatMap((command) => ('write' in command ? [command.write] : [])),
    )
    this.worker.postMessage({ commands } satisfies Batch, documents)
  }

  private settle(answer: BatchAnswer): void {
    if (answer.kind === 'committed') {
      const settled = this.sent.splice(0, answer.outcomes.length)
      settled.forEach(({ resolve }, index) => resolve(answer.outcomes[index] ?? 'done'))
    } else if (answer.kind === 'failed') {
      const cause = new Error(answer.message)
      const error = answer.passing ? unavailable('The invoice store', cause) : cause
      for (const { reject } of this.sent.splice(0, answer.commands)) reject(error)
    }
  }

  private die(error: Error): void {
    if (!this.dead && !this.closing)
      this.fail(new Error('The writer thread died.', { cause: error }))
    this.dead ??= error
    const { sent, waiting } = this
    this.sent = []
    this.waiting = []
    // It may have committed before it died.
    for (const { reject } of sent) reject(noAnswer('The invoice store', this.dead))
    for (const { reject } of waiting) reject(unavailable('The invoice store', this.dead))
  }
}
