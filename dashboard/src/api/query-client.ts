import { QueryClient } from '@tanstack/react-query'
import { ServiceError, Unreachable } from './connection'

const retriesMax = 2
const freshMs = 10_000

export function createQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: {
        // Browsers often report being offline wrongly.
        networkMode: 'always',
        staleTime: freshMs,
        retry: (failures, error) => failures < retriesMax && isTemporary(error),
        retryDelay: (failures) => 500 * 2 ** failures,
      },
      // A mutation is never sent twice automatically.
      mutations: { networkMode: 'always', retry: false },
    },
  })
}

function isTemporary(error: unknown): boolean {
  if (error instanceof Unreachable) return true
  return error instanceof ServiceError && error.status >= 500
}
