import { useQuery } from '@tanstack/react-query'
import { call } from './connection'
import type { Schemas } from './schemas'

export type OpenSession = Schemas['Sessions']['content'][number]

export const ownSessionsKey = ['own-sessions'] as const

export function useOwnSessions() {
  return useQuery({
    queryKey: ownSessionsKey,
    queryFn: async ({ signal }) => {
      const { content } = await call<Schemas['Sessions']>('GET', '/sessions', { signal })
      return content
    },
  })
}

export const endOwnSession = (id: string) => call('DELETE', `/sessions/${id}`)

export const endOtherSessions = () => call<Schemas['EndedSessions']>('DELETE', '/sessions')
