/**
 * What is requested during a batch becomes the next one, so that one fsync serves many. When the
 * thread dies, the outcome of the running batch is unknown.
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

const batchMax = 256
const waitingMax = 10_000

const writerFile = path.join(__dirname, 'write-worker.js')

interface Waiting {
  command: Command
  resolve: (outcome: Outcome) => void
  reject: (error: Error) => void
}

export class SqliteThread {
  private waiting: Waiting[] = []
  private writing: Waiting[] | undefined
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
    if (this.waiting.length >= waitingMax) {
      const cause = new Error(`${waitingMax} writes are waiting`)
      return Promise.reject(unavailable('The invoice store', cause))
    }
    return new Promise((resolve, reject) => {
      this.waiting.push({ command, resolve, reject })
      this.sendNext()
    })
  }

  check(): void {
    if (this.dead) throw unavailable('The invoice store', this.dead)
  }

  async close(): Promise<void> {
    while (this.writing && !this.dead) await new Promise(setImmediate)
    if (this.dead) return
    this.closing = true
    const ended = new Promise((resolve) => this.worker.once('exit', resolve))
    this.worker.postMessage('close')
    await ended
  }

  private sendNext(): void {
    if (this.writing || this.waiting.length === 0 || this.dead) return
    this.writing = this.waiting.splice(0, batchMax)
    const commands = this.writing.map(({ command }) => command)
    const documents = joinDocuments(
      commands.flatMap((command) => ('write' in command ? [command.write] : [])),
    )
    this.worker.postMessage({ commands } satisfies Batch, documents)
  }

  private settle(answer: BatchAnswer): void {
    const settled = this.writing ?? []
    this.writing = undefined
    this.sendNext()
    if (answer.kind === 'committed') {
      settled.forEach(({ resolve }, index) => resolve(answer.outcomes[index] ?? 'done'))
    } else if (answer.kind === 'failed') {
      const cause = new Error(answer.message)
      const error = answer.passing ? unavailable('The invoice store', cause) : cause
      for (const { reject } of settled) reject(error)
    }
  }

  private die(error: Error): void {
    if (!this.dead && !this.closing)
      this.fail(new Error('The writer thread died.', { cause: error }))
    this.dead ??= error
    const { writing = [], waiting } = this
    this.writing = undefined
    this.waiting = []
    // It may have committed before it died.
    for (const { reject } of writing) reject(noAnswer('The invoice store', this.dead))
    for (const { reject } of waiting) reject(unavailable('The invoice store', this.dead))
  }
}
