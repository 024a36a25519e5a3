/**
 * Creations over several connections, and what the client knows afterwards: acknowledged, refused,
 * or never answered.
 */

import { setTimeout as delay } from 'node:timers/promises'
import { aLine, anInvoice, type InvoiceBody, type Invoices } from '../stack/invoices'
import type { Random } from '../stack/random'

export interface Acknowledged {
  id: string
  invoiceNumber: string
}

export interface Load {
  acknowledged: Acknowledged[]
  /** Sent, and the connection ended without an answer: may exist or not. */
  unanswered: InvoiceBody[]
  /** Answers other than 201. */
  refused: { status: number; code: string; headers: Headers; body: InvoiceBody }[]
  /** Ends when every connection is broken or `stop` was called. */
  done: Promise<void>
  stop(): void
}

export interface LoadOptions {
  connections?: number
  random: Random
  /** Between two invoices of a connection: each has to be cleared, drawn and judged in the end. */
  pauseMs?: number
}

/** Goes on after an answer that is no 201; a broken connection ends its loop. */
export function createUnderLoad(
  invoices: Invoices,
  { connections = 8, random, pauseMs = 60 }: LoadOptions,
): Load {
  let stopped = false
  const load: Omit<Load, 'done' | 'stop'> = { acknowledged: [], unanswered: [], refused: [] }
  const run = async () => {
    while (!stopped) {
      const body = randomInvoice(random)
      const answer = await invoices.create(body).catch(() => undefined)
      if (!answer) {
        load.unanswered.push(body)
        return
      }
      const { status, code, headers, data } = answer
      if (status === 201) load.acknowledged.push({ id: data.id, invoiceNumber: body.invoiceNumber })
      else load.refused.push({ status, code, headers, body })
      await delay(pauseMs)
    }
  }
  const done = Promise.all(Array.from({ length: connections }, run)).then(() => undefined)
  return { ...load, done, stop: () => (stopped = true) }
}

export function randomInvoice(random: Random): InvoiceBody {
  return anInvoice({
    lines: Array.from({ length: random.int(1, 5) }, (_, at) =>
      aLine({ lineNumber: at + 1, quantity: random.int(1, 9) }),
    ),
  })
}
