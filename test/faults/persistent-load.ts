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
  /** The longest that one request waited for its answer or end, in milliseconds. */
  longestMs(): number
  /** Ends when every invoice begun is there. */
  stop(): Promise<void>
}

export interface PersistentLoadOptions {
  /** Of every gateway; each request goes to the next one. */
  urls: readonly string[]
  key: string
  random: Random
  connections?: number
}

const againMs = 200

export function createPersistently({
  urls,
  key,
  random,
  connections = 8,
}: PersistentLoadOptions): PersistentLoad {
  const gateways = urls.map((url) => new Invoices(url, key))
  const acknowledged: Acknowledged[] = []
  const wrong: string[] = []
  let [turn, longestMs, stopped] = [0, 0, false]

  const send = async (body: InvoiceBody): Promise<'made' | 'again'> => {
    const invoices = gateways[turn++ % gateways.length]!
    const sentAt = Date.now()
    const answer = await invoices.create(body).catch(() => undefined)
    longestMs = Math.max(longestMs, Date.now() - sentAt)
    if (answer?.status === 201) {
      acknowledged.push({ id: answer.data.id, invoiceNumber: body.invoiceNumber })
      return 'made'
    }
    if (answer?.code === 'INVOICE_NUMBER_EXISTS') return find(invoices, body)
    if (answer && answer.code !== 'SERVICE_UNAVAILABLE') {
      wrong.push(`${answer.status} ${answer.code} ${answer.message}`)
    } else if (answer && !answer.headers.get('retry-after')) wrong.push('503 without Retry-After')
    return 'again'
  }
  const find = async (invoices: Invoices, { invoiceNumber }: InvoiceBody) => {
    const found = await invoices.list({ invoiceNumber }).catch(() => undefined)
    if (found?.status !== 200) return 'again'
    const { totalElements, content } = found.data
    if (totalElements === 1) acknowledged.push({ id: content[0].id, invoiceNumber })
    else wrong.push(`${invoiceNumber} is there ${totalElements} times, though it is taken`)
    return 'made'
  }
  const run = async () => {
    while (!stopped) {
      const body = randomInvoice(random)
      while ((await send(body)) === 'again') await new Promise((next) => setTimeout(next, againMs))
    }
  }
  const done = Promise.all(Array.from({ length: connections }, run))
  return {
    acknowledged,
    wrong,
    longestMs: () => longestMs,
    async stop() {
      stopped = true
      await done
    },
  }
}
