import { useQuery } from '@tanstack/react-query'
import { call } from './connection'
import { invoicesKey } from './invoices'
import type { Schemas } from './schemas'

export type Overview = Schemas['Overview']
export type OverviewDay = Overview['days'][number]

export function useOverview(days: number) {
  return useQuery({
    queryKey: [...invoicesKey, 'overview', days],
    queryFn: ({ signal }) => call<Overview>('GET', '/overview', { query: { days }, signal }),
  })
}
