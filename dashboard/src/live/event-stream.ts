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

interface EventHandlers {
  onState(state: LiveState): void
  onEvent(event: InvoiceEvent): void
}

// Some proxies hold a stream back: without its first event in this time, poll instead.
const readyWithinMs = 5_000
const pollEveryMs = 5_000
const retryStreamMs = 60_000

/** Streams if possible, otherwise polls, and tries the stream again every minute. */
export function connectEvents(handlers: EventHandlers): Connection {
  let isClosed = false
  let stream: EventSource | undefined
  let polling: Connection | undefined
  let timer: ReturnType<typeof setTimeout> | undefined

  const stopTimer = () => {
    clearTimeout(timer)
    timer = undefined
  }

  const startPolling = () => {
    stopTimer()
    stream?.close()
    stream = undefined
    if (isClosed) return
    handlers.onState('polling')
    polling ??= pollInvoices(handlers.onEvent)
    timer = setTimeout(open, retryStreamMs)
  }

  const open = () => {
    stream = new EventSource(`${apiPath}/events`)
    timer = setTimeout(startPolling, readyWithinMs)
    stream.addEventListener('ready', () => {
      stopTimer()
      polling?.close()
      polling = undefined
      handlers.onState('live')
    })
    stream.addEventListener('invoice', (message: MessageEvent<string>) => {
      handlers.onEvent(JSON.parse(message.data) as InvoiceEvent)
    })
    stream.addEventListener('error', () => {
      // A rejected stream stays closed; a broken one reconnects and resumes by itself.
      if (stream?.readyState === EventSource.CLOSED) startPolling()
      else timer ??= setTimeout(startPolling, readyWithinMs)
    })
  }

  open()
  return {
    close() {
      isClosed = true
      stopTimer()
      stream?.close()
      polling?.close()
    },
  }
}

/** Reports every invoice that changed since the previous poll. */
function pollInvoices(onEvent: (event: InvoiceEvent) => void): Connection {
  let isClosed = false
  let seen: Map<string, string> | undefined
  const poll = async () => {
    const { content } = await listInvoices({ sort: 'updatedAt,desc', size: 50 })
    const previous = seen
    seen = new Map(content.map(({ id, updatedAt }) => [id, updatedAt]))
    if (!previous) return
    for (const { id, invoiceNumber, status, updatedAt } of content.toReversed()) {
      const isChanged = previous.get(id) !== updatedAt
      if (isChanged && !isClosed) onEvent({ invoiceId: id, invoiceNumber, status, updatedAt })
    }
  }
  const pollRepeatedly = async () => {
    // A failed poll is repeated in five seconds; pages show their own errors.
    if (document.visibilityState === 'visible') await poll().catch(() => undefined)
    if (!isClosed) timer = setTimeout(() => void pollRepeatedly(), pollEveryMs)
  }
  let timer = setTimeout(() => void pollRepeatedly(), 0)
  return {
    close() {
      isClosed = true
      clearTimeout(timer)
    },
  }
}
