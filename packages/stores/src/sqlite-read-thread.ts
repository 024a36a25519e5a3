import { Worker, type WorkerOptions } from 'node:worker_threads'
import { unavailable } from '@einvoicing/domain/api-error'
import { deadlinesMs } from '@einvoicing/domain/limits'
import { threadMemory } from '@einvoicing/runtime/memory'
import { Slots } from '@einvoicing/runtime/slots'
import type { ReadAnswered, ReadFailure, ReadRequest } from './sqlite-read-worker'

const waitingMax = 200
// The second is there when the first ends, however busy the event loop is.
const readingMax = 2

interface ReadThreadOptions extends Pick<WorkerOptions, 'workerData' | 'transferList'> {
  /** For errors: `The invoice list`, `listing`. */
  what: string
  thread: string
  onDeath: (error: Error) => void
}

interface Turn {
  /** The organization, so that organizations take turns; reads of none have a lane of their own. */
  lane?: string
  /** Ends the wait for the turn, not the read: the time of a call between services by default. */
  signal?: AbortSignal
}

interface Reading<Answer> {
  resolve: (answer: Answer) => void
  reject: (error: Error) => void
}

/** So that long reads do not stop the event loop. The file of the thread calls `answerReads`. */
export class ReadThread<Question, Answer> {
  private readonly worker: Worker
  private readonly options: Pick<ReadThreadOptions, 'what' | 'onDeath'>
  private readonly turns: Slots
  private readonly reading: Array<Reading<Answer>> = []
  private dead: Error | undefined
  private closing = false

  constructor(workerFile: string, { what, thread, onDeath, ...settings }: ReadThreadOptions) {
    this.options = { what, onDeath }
    this.turns = new Slots({ count: readingMax, waitingMax, toError: () => this.noTurn() })
    this.worker = new Worker(workerFile, { ...settings, resourceLimits: threadMemory })
    this.worker.on('error', (error) => this.die(error))
    this.worker.on('messageerror', (error) => this.die(error))
    this.worker.on('exit', () => this.die(new Error(`the ${thread} thread ended`)))
    this.worker.on('message', (answered: ReadAnswered<Answer>) => this.settle(answered))
  }

  /** Throws `SERVICE_UNAVAILABLE`, also when too many wait or the turn comes too late. */
  read(
    question: Question,
    { lane = '', signal = AbortSignal.timeout(deadlinesMs.rpc) }: Turn = {},
  ): Promise<Answer> {
    return this.turns.run(lane, signal, () => {
      if (signal.aborted) throw this.noTurn()
      return this.send(question)
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

  private async send(question: Question): Promise<Answer> {
    this.check()
    return new Promise((resolve, reject) => {
      // First: what cannot be posted has no answer, and answers come in order.
      this.worker.postMessage({ question } satisfies ReadRequest<Question>)
      this.reading.push({ resolve, reject })
    })
  }

  private settle(answered: ReadAnswered<Answer>): void {
    const reading = this.reading.shift()
    if ('answer' in answered) reading?.resolve(answered.answer)
    else reading?.reject(this.toError(answered))
  }

  private noTurn(): Error {
    return unavailable(this.options.what, new Error('the read did not get its turn'))
  }

  private toError({ error, passing }: ReadFailure): Error {
    const cause = new Error(error)
    return passing ? unavailable(this.options.what, cause) : cause
  }

  private die(error: Error): void {
    const { what, onDeath } = this.options
    if (!this.dead && !this.closing) onDeath(error)
    this.dead ??= error
    for (const { reject } of this.reading.splice(0)) reject(unavailable(what, this.dead))
  }
}
