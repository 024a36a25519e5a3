/** The event stream, and the questions that stand in for it. */

import { apiPath } from '../api/connection'
import { listInvoices, type InvoiceStatus } from '../api/invoices'

export interface InvoiceEvent {
  invoiceId: string
  invoiceNumber: string
  status: InvoiceStatus
  updatedAt: string
}

export type LiveState = 'connecting' | 'live' | 'polling'

export interface Connection {
  close(): void
}

interface Told {
  onState(state: LiveState): void
  onEvent(event: InvoiceEvent): void
}

/** Without a word from the stream for so long it is not to be had: some proxies hold it back. */
const readyWithinMs = 5_000
const pollEveryMs = 5_000
const tryAgainMs = 60_000

/** Streams where it can, polls where it cannot, and tries the stream again every minute. */
export function connectEvents(told: Told): Connection {
  let isClosed = false
  let stream: EventSource | undefined
  let polling: Connection | undefined
  let timer: ReturnType<typeof setTimeout> | undefined

  const fallBack = () => {
    clearTimeout(timer)
    stream?.close()
    stream = undefined
    if (isClosed) return
    told.onState('polling')
    polling ??= pollInvoices(told.onEvent)
    timer = setTimeout(open, tryAgainMs)
  }

  const open = () => {
    stream = new EventSource(`${apiPath}/events`)
    timer = setTimeout(fallBack, readyWithinMs)
    stream.addEventListener('ready', () => {
      clearTimeout(timer)
      polling?.close()
      polling = undefined
      told.onState('live')
    })
    stream.addEventListener('invoice', (message: MessageEvent<string>) => {
      told.onEvent(JSON.parse(message.data) as InvoiceEvent)
    })
    stream.addEventListener('error', () => {
      // Refused, it stays closed; cut, it connects again by itself and goes on where it was.
      if (stream?.readyState === EventSource.CLOSED) fallBack()
      else {
        clearTimeout(timer)
        timer = setTimeout(fallBack, readyWithinMs)
      }
    })
  }

  open()
  return {
    close() {
      isClosed = true
      clearTimeout(timer)
      stream?.close()
      polling?.close()
    },
  }
}

/** Tells every invoice that changed since the question before. */
function pollInvoices(onEvent: (event: InvoiceEvent) => void): Connection {
  let isClosed = false
  let seen: Map<string, string> | undefined
  const ask = async () => {
    const { content } = await listInvoices({ sort: 'updatedAt,desc', size: 50 })
    const before = seen
    seen = new Map(content.map(({ id, updatedAt }) => [id, updatedAt]))
    if (!before) return
    for (const { id, invoiceNumber, status, updatedAt } of content.toReversed()) {
      const isNews = before.get(id) !== updatedAt
      if (isNews && !isClosed) onEvent({ invoiceId: id, invoiceNumber, status, updatedAt })
    }
  }
  const askAndAgain = async () => {
    // What cannot be asked now is asked in five seconds; pages tell of their own what is wrong.
    if (document.visibilityState === 'visible') await ask().catch(() => undefined)
    if (!isClosed) timer = setTimeout(() => void askAndAgain(), pollEveryMs)
  }
  let timer = setTimeout(() => void askAndAgain(), 0)
  return {
    close() {
      isClosed = true
      clearTimeout(timer)
    },
  }
}
