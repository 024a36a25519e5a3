/** How answers are kept, asked for again, and what is tried again without being asked. */

import { QueryClient } from '@tanstack/react-query'
import { Refused, Unreachable } from './connection'

const retriesMax = 2
const freshMs = 10_000

export function createQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: {
        // Asked even when the browser believes to be offline: it is often wrong, and a page that
        // waits in silence tells nothing.
        networkMode: 'always',
        staleTime: freshMs,
        retry: (failures, error) => failures < retriesMax && isPassing(error),
        retryDelay: (failures) => 500 * 2 ** failures,
      },
      // Nothing that changes something is ever sent twice by itself.
      mutations: { networkMode: 'always', retry: false },
    },
  })
}

function isPassing(error: unknown): boolean {
  if (error instanceof Unreachable) return true
  return error instanceof Refused && error.status >= 500
}
