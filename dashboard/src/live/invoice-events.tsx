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
import { connectEvents, type InvoiceEvent, type LiveState } from './event-stream'
import { Refresher } from './refresh'

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
    const refresher = new Refresher(queries)
    const resume = () => refresher.resume()
    document.addEventListener('visibilitychange', resume)
    const connection = connectEvents({
      onState: (next) => {
        setState(next)
        refresher.setState(next)
        // Events between two connections are not delivered.
        refresher.refresh('any')
      },
      onEvent: (event) => {
        listeners.notify(event)
        refresher.refresh(event.invoiceId)
      },
    })
    return () => {
      document.removeEventListener('visibilitychange', resume)
      connection.close()
    }
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
