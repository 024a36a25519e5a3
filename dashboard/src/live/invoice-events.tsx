/** One event stream for the page, or a poll every five seconds when no stream can be opened. */

import { useQueryClient } from '@tanstack/react-query'
import {
  createContext,
  useContext,
  useEffect,
  useEffectEvent,
  useState,
  type ReactNode,
} from 'react'
import { invoicesKey } from '../api/invoices'
import { connectEvents, type InvoiceEvent, type LiveState } from './event-stream'

type Listener = (event: InvoiceEvent) => void

class Listeners {
  readonly #listeners = new Set<Listener>()

  add(listener: Listener): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  notify(event: InvoiceEvent): void {
    for (const listener of this.#listeners) listener(event)
  }
}

interface Live {
  state: LiveState
  listeners: Listeners
}

const LiveContext = createContext<Live>({ state: 'connecting', listeners: new Listeners() })

export function LiveProvider({ children }: { children: ReactNode }) {
  const queries = useQueryClient()
  const [listeners] = useState(() => new Listeners())
  const [state, setState] = useState<LiveState>('connecting')

  useEffect(() => {
    const refresh = throttle(() => queries.invalidateQueries({ queryKey: invoicesKey }))
    const connection = connectEvents({
      onState: (next) => {
        setState(next)
        // Events between two connections are not delivered.
        refresh()
      },
      onEvent: (event) => {
        listeners.notify(event)
        refresh()
      },
    })
    return () => connection.close()
  }, [queries, listeners])

  return <LiveContext value={{ state, listeners }}>{children}</LiveContext>
}

/** Queries under `invoicesKey` are refetched without a listener. */
export function useInvoiceEvents(listener?: Listener): { state: LiveState } {
  const { state, listeners } = useContext(LiveContext)
  const notify = useEffectEvent((event: InvoiceEvent) => listener?.(event))
  useEffect(() => listeners.add((event) => notify(event)), [listeners])
  return { state }
}

const pauseMs = 1_000
const pauseFactor = 4

// The next request waits for the response, longer the slower it was: hundreds of events a second
// must not become hundreds of requests.
function throttle(act: () => Promise<unknown>): () => void {
  let isRunning = false
  let isStale = false
  const runWhileStale = async () => {
    isRunning = true
    while (isStale) {
      isStale = false
      const startedAt = Date.now()
      await act()
      const tookMs = Date.now() - startedAt
      await new Promise((resolve) => setTimeout(resolve, Math.max(pauseMs, pauseFactor * tookMs)))
    }
    isRunning = false
  }
  return () => {
    isStale = true
    if (!isRunning) void runWhileStale()
  }
}
