/**
 * What arrives during a request forms the next batch, so that one journal sync serves many; each
 * item succeeds or fails alone. SERVICE_UNAVAILABLE: what waited was not sent, what was sent may
 * have been applied.
 */

import { ApiError, unavailable } from '@einvoicing/domain/api-error'

export type Settled<Answer> = PromiseSettledResult<Answer>

interface Options {
  batchMax: number
  batchesAtOnce: number
}

interface Waiting<Item, Answer> {
  item: Item
  resolve: (answer: Answer) => void
  reject: (error: unknown) => void
}

const waitingMax = 10_000

export class Grouped<Item, Answer> {
  private waiting: Waiting<Item, Answer>[] = []
  private batchesSent = 0
  private turn: NodeJS.Immediate | undefined
  private readonly send: (items: readonly Item[]) => Promise<readonly Settled<Answer>[]>
  private readonly options: Options

  /** `send` answers in the order of the items, and may be repeated with each item alone. */
  constructor(
    send: (items: readonly Item[]) => Promise<readonly Settled<Answer>[]>,
    options: Options,
  ) {
    this.send = send
    this.options = options
  }

  add(item: Item): Promise<Answer> {
    if (this.waiting.length >= waitingMax) {
      const cause = new Error(`${waitingMax} requests are waiting`)
      return Promise.reject(unavailable('The invoice store', cause))
    }
    return new Promise((resolve, reject) => {
      this.waiting.push({ item, resolve, reject })
      // At the end of this turn of the event loop, so that all its items share the batch.
      this.turn ??= setImmediate(() => {
        this.turn = undefined
        this.sendNext()
      })
    })
  }

  private sendNext(): void {
    const { batchMax, batchesAtOnce } = this.options
    if (this.waiting.length === 0 || this.batchesSent >= batchesAtOnce) return
    this.batchesSent += 1
    void this.settle(this.waiting.splice(0, batchMax)).finally(() => {
      this.batchesSent -= 1
      this.sendNext()
    })
    this.sendNext()
  }

  private async settle(batch: readonly Waiting<Item, Answer>[]): Promise<void> {
    try {
      const answers = await this.send(batch.map(({ item }) => item))
      batch.forEach(({ resolve, reject }, index) => {
        const answer = answers[index]
        if (answer?.status === 'fulfilled') resolve(answer.value)
        else reject(answer?.reason ?? new Error('a batch has fewer answers than items'))
      })
    } catch (error) {
      if (error instanceof ApiError) this.refuse(batch, error)
      // A defect of one must not fail the others.
      else if (batch.length > 1) for (const one of batch) await this.settle([one])
      else batch[0]?.reject(error)
    }
  }

  private refuse(batch: readonly Waiting<Item, Answer>[], apiError: ApiError): void {
    for (const { reject } of batch) reject(apiError)
    // These would wait as long for the same error.
    for (const { reject } of this.waiting) reject(unavailable('The invoice store', apiError))
    this.waiting = []
  }
}

export const fulfilled = <Answer>(value: Answer): Settled<Answer> => ({
  status: 'fulfilled',
  value,
})

export const rejected = (reason: unknown): PromiseRejectedResult => ({ status: 'rejected', reason })
