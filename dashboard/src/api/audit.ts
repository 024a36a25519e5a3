import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { toUrl, call } from './connection'
import type { Schemas } from './schemas'

export type AuditPage = Schemas['AuditPage']
export type AuditEntry = AuditPage['content'][number]

export interface AuditFilter {
  action?: string
  actor?: string
  invoiceId?: string
  /** Days, both inclusive. */
  from?: string
  to?: string
}

export function useAudit(filter: AuditFilter, page: number) {
  const query = { ...filter, page, size: 25 }
  return useQuery({
    queryKey: ['audit', query],
    queryFn: ({ signal }) => call<AuditPage>('GET', '/audit', { query, signal }),
    placeholderData: keepPreviousData,
  })
}

export const auditCsvAddress = (filter: AuditFilter) => toUrl('/audit.csv', { ...filter })
