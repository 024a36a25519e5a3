import { useQuery } from '@tanstack/react-query'
import { call } from './connection'
import type { Schemas } from './schemas'

export type ApiKey = Schemas['ApiKey']
/** The whole key is in this response only. */
export type NewApiKey = Schemas['NewApiKeyWithSecret']

export const apiKeysKey = ['api-keys'] as const

/** `everyMs`: the polling interval while the user waits for the first use of a key. */
export function useApiKeys(everyMs?: number) {
  return useQuery({
    queryKey: apiKeysKey,
    queryFn: async ({ signal }) => {
      const { content } = await call<Schemas['ApiKeys']>('GET', '/api-keys', { signal })
      return content
    },
    refetchInterval: everyMs ?? false,
  })
}

export const createApiKey = (body: Schemas['NewApiKey']) =>
  call<NewApiKey>('POST', '/api-keys', { body })

/** Without a time, the service's default is how long the old key works. */
export const rotateApiKey = (id: string, name: string) =>
  call<NewApiKey>('POST', `/api-keys/${id}/rotate`, { body: { name } })

export const revokeApiKey = (id: string) => call<ApiKey>('DELETE', `/api-keys/${id}`)
