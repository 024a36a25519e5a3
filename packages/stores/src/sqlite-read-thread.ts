import { Worker, type WorkerOptions } from 'node:worker_threads'
import { unavailable } from '@einvoicing/domain/api-error'
import { threadMemory } from '@einvoicing/runtime/memory'
import type { ReadAnswered, ReadFailure, ReadRequest } from './sqlite-read-worker'

const waitingMax = 200

interface ReadThreadOptions extends Pick<WorkerOptions, 'workerData' | 'transferList'> {
  /** For errors: `The invoice list`, `listing`. */
  what: string
  thread: string
  onDeath: (error: Error) => void
}

interface Waiting<Answer> {
  resolve: (answer: Answer) => void
  reject: (error: Error) => void
}

/** So that long reads do not stop the event loop. The file of the thread calls `answerReads`. */
export class ReadThread<Question, Answer> {
  private readonly waiting = new Map<number, Waiting<Answer>>()
  private readonly worker: Worker
  private readonly options: Pick<ReadThreadOptions, 'what' | 'onDeath'>
  private lastId = 0
  private dead: Error | undefined
  private closing = false

  constructor(workerFile: string, { what, thread, onDeath, ...settings }: ReadThreadOptions) {
    this.options = { what, onDeath }
    this.worker = new Worker(workerFile, { ...settings, resourceLimits: threadMemory })
    this.worker.on('error', (error) => this.die(error))
    this.worker.on('messageerror', (error) => this.die(error))
    this.worker.on('exit', () => this.die(new Error(`the ${thread} thread ended`)))
    this.worker.on('message', (answered: ReadAnswered<Answer>) => this.settle(answered))
  }

  /** Throws `SERVICE_UNAVAILABLE`. */
  read(question: Question): Promise<Answer> {
    const { what } = this.options
    if (this.dead) return Promise.reject(unavailable(what, this.dead))
    if (this.waiting.size >= waitingMax) {
      return Promise.reject(unavailable(what, new Error(`${waitingMax} reads are waiting`)))
    }
    return new Promise((resolve, reject) => {
      const id = ++this.lastId
      this.waiting.set(id, { resolve, reject })
      this.worker.postMessage({ id, question } satisfies ReadRequest<Question>)
    })
  }

  check(): void {
    if (this.dead) throw unavailable(this.options.what, this.dead)
  }

  async close(): Promise<void> {
    if (this.dead) return
    this.closing = true
    const ended = new Promise((resolve) => this.worker.once('exit', resolve))
    this.worker.postMessage('close')
    await ended
  }

  private settle(answered: ReadAnswered<Answer>): void {
    const waiting = this.waiting.get(answered.id)
    this.waiting.delete(answered.id)
    if ('answer' in answered) waiting?.resolve(answered.answer)
    else waiting?.reject(this.toError(answered))
  }

  private toError({ error, passing }: ReadFailure): Error {
    const cause = new Error(error)
    return passing ? unavailable(this.options.what, cause) : cause
  }

  private die(error: Error): void {
    const { what, onDeath } = this.options
    if (!this.dead && !this.closing) onDeath(error)
    this.dead ??= error
    for (const { reject } of this.waiting.values()) reject(unavailable(what, this.dead))
    this.waiting.clear()
  }
}
