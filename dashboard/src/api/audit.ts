import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { toUrl, call } from './connection'
import { isReversed, type DayRange } from './day-range'
import type { Language } from '../i18n/language'
import type { Schemas } from './schemas'

export type AuditPage = Schemas['AuditPage']
/** Entries of one invoice have no number. */
export type NumberedEntry = AuditPage['content'][number]
type OfTheLog = 'invoiceNumber' | 'network' | 'device' | 'seq' | 'hash'
export type AuditEntry = Omit<NumberedEntry, OfTheLog>

export interface AuditFilter extends DayRange {
  action?: string
  actor?: string
  invoiceId?: string
  network?: string
  device?: string
}

export function useAudit(filter: AuditFilter, page: number) {
  const query = { ...withoutReversed(filter), page, size: 25 }
  return useQuery({
    queryKey: ['audit', query],
    queryFn: ({ signal }) => call<AuditPage>('GET', '/audit', { query, signal }),
    placeholderData: keepPreviousData,
  })
}

export const auditCsvAddress = (filter: AuditFilter, lang: Language) =>
  toUrl('/audit.csv', { ...withoutReversed(filter), lang })

const withoutReversed = (filter: AuditFilter): AuditFilter =>
  isReversed(filter) ? { ...filter, to: '' } : filter
