/** The organization's API keys. */

import { useQuery } from '@tanstack/react-query'
import { call } from './connection'

export interface ApiKey {
  id: string
  name: string
  last4: string
  createdAt: string
  lastUsedAt: string | null
  revokedAt: string | null
}

export interface NewApiKey {
  id: string
  name: string
  /** Whole, this once. */
  key: string
  last4: string
  createdAt: string
}

export const apiKeysKey = ['api-keys'] as const

/** `everyMs`: ask again and again, while somebody waits to see a key used. */
export function useApiKeys(everyMs?: number) {
  return useQuery({
    queryKey: apiKeysKey,
    queryFn: async ({ signal }) => {
      const { content } = await call<{ content: ApiKey[] }>('GET', '/api-keys', { signal })
      return content
    },
    refetchInterval: everyMs ?? false,
  })
}

export const createApiKey = (name: string) =>
  call<NewApiKey>('POST', '/api-keys', { body: { name } })

export const revokeApiKey = (id: string) => call<ApiKey>('DELETE', `/api-keys/${id}`)
