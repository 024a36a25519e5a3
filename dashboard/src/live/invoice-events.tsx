/**
 * What happens to invoices, as it happens: one event stream for the whole page, and where none can
 * be had a question every five seconds instead. Whoever listens cannot tell which.
 */

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

  tell(event: InvoiceEvent): void {
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
    const refresh = throttled(() => queries.invalidateQueries({ queryKey: invoicesKey }))
    const connection = connectEvents({
      onState: (next) => {
        setState(next)
        // What happened between two connections was told by neither.
        refresh()
      },
      onEvent: (event) => {
        listeners.tell(event)
        refresh()
      },
    })
    return () => connection.close()
  }, [queries, listeners])

  return <LiveContext value={{ state, listeners }}>{children}</LiveContext>
}

/**
 * Calls `listener` with each change of an invoice. All queries under `invoicesKey` are asked for
 * again by themselves: most pages need only those, and call this for `state` or not at all.
 */
export function useInvoiceEvents(listener?: Listener): { state: LiveState } {
  const { state, listeners } = useContext(LiveContext)
  const tell = useEffectEvent((event: InvoiceEvent) => listener?.(event))
  useEffect(() => listeners.add((event) => tell(event)), [listeners])
  return { state }
}

const restMs = 1_000
const restFactor = 4

// Hundreds of invoices a second must not become hundreds of questions, nor slow answers be given up
// for newer ones: the next question waits for the answer, and longer the more it took.
function throttled(ask: () => Promise<unknown>): () => void {
  let isAsking = false
  let isOld = false
  const askWhileOld = async () => {
    isAsking = true
    while (isOld) {
      isOld = false
      const askedAt = Date.now()
      await ask()
      const tookMs = Date.now() - askedAt
      await new Promise((resolve) => setTimeout(resolve, Math.max(restMs, restFactor * tookMs)))
    }
    isAsking = false
  }
  return () => {
    isOld = true
    if (!isAsking) void askWhileOld()
  }
}
