/**
 * Creations that go on through whatever happens to the services, as a patient client's would: what
 * was not answered, or answered 503, is sent again under its number until it is there.
 */

import { Invoices, type InvoiceBody } from '../stack/invoices'
import type { Random } from '../stack/random'
import { randomInvoice, type Acknowledged } from './load'

export interface PersistentLoad {
  acknowledged: Acknowledged[]
  /** Answers that no client should ever get. */
  wrong: string[]
  /** Numbers that were carried out though no request for them was ever answered. */
  cut: string[]
  /** Of each invoice what its sendings came to, the last of which found or made it. */
  sent: string[][]
  /** Ends when every invoice begun is there. */
  stop(): Promise<void>
}

export interface PersistentLoadOptions {
  /** Of every gateway: each invoice begins at the next one, and after a failure tries another. */
  urls: readonly string[]
  key: string
  random: Random
  connections?: number
  /** Between two invoices of a connection: what a long load makes has to be cleared in the end. */
  pauseMs?: number
}

type Outcome = 'made' | 'there already' | 'nothing stored' | 'unknown' | 'unanswered'

const againMs = 200

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

export function createPersistently({
  urls,
  key,
  random,
  connections = 8,
  pauseMs = 0,
}: PersistentLoadOptions): PersistentLoad {
  const gateways = urls.map((url) => new Invoices(url, key))
  const acknowledged: Acknowledged[] = []
  const wrong: string[] = []
  const cut: string[] = []
  const sent: string[][] = []
  let [turn, stopped] = [0, false]

  const send = async (invoices: Invoices, body: InvoiceBody): Promise<Outcome> => {
    const answer = await invoices.create(body).catch(() => undefined)
    if (answer?.status === 201) {
      acknowledged.push({ id: answer.data.id, invoiceNumber: body.invoiceNumber })
      return 'made'
    }
    if (answer?.code === 'INVOICE_NUMBER_EXISTS') return find(invoices, body)
    if (!answer) return 'unanswered'
    if (answer.code !== 'SERVICE_UNAVAILABLE') {
      wrong.push(`${answer.status} ${answer.code} ${answer.message}`)
    } else if (!answer.headers.get('retry-after')) wrong.push('503 without Retry-After')
    return answer.message.includes('nothing was stored') ? 'nothing stored' : 'unknown'
  }
  const find = async (invoices: Invoices, { invoiceNumber }: InvoiceBody): Promise<Outcome> => {
    const found = await invoices.list({ invoiceNumber }).catch(() => undefined)
    if (found?.status !== 200) return 'unanswered'
    const { totalElements, content } = found.data
    if (totalElements === 1) acknowledged.push({ id: content[0].id, invoiceNumber })
    else wrong.push(`${invoiceNumber} is there ${totalElements} times, though it is taken`)
    return 'there already'
  }
  const sendUntilThere = async (body: InvoiceBody) => {
    const outcomes: Outcome[] = []
    for (let at = turn++; ; at++) {
      const outcome = await send(gateways[at % gateways.length]!, body)
      if (outcome === 'there already') judge(body, new Set(outcomes))
      outcomes.push(outcome)
      if (outcome === 'made' || outcome === 'there already') {
        sent.push(outcomes)
        return
      }
      await pause(againMs)
    }
  }
  const judge = ({ invoiceNumber }: InvoiceBody, before: ReadonlySet<Outcome>) => {
    if (before.has('unknown')) return
    if (before.has('unanswered')) cut.push(invoiceNumber)
    else wrong.push(`${invoiceNumber} is there, though it was said that nothing was stored`)
  }
  const run = async () => {
    while (!stopped) {
      await sendUntilThere(randomInvoice(random))
      if (pauseMs > 0) await pause(pauseMs)
    }
  }
  const done = Promise.all(Array.from({ length: connections }, run))
  return {
    acknowledged,
    wrong,
    cut,
    sent,
    async stop() {
      stopped = true
      await done
    },
  }
}
