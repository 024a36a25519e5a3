import { setImmediate } from 'node:timers/promises'
import { metrics } from '@einvoicing/runtime/metrics'
import { watchStore } from './metrics'
import { completeCounts } from './store/counts'

const now = () => new Date('2026-05-03T10:00:30Z')
const early = '2026-05-03T10:00:00Z'
const idle = { count: 0, oldest: undefined }

type Store = Parameters<typeof watchStore>[0]['store']

const quiet: Store = {
  oldestUndecided: async () => undefined,
  backlogs: async () => ({
    outbox: idle,
    archive: idle,
    timeStamps: idle,
    evidence: idle,
    renewals: idle,
    archiveDeadLetters: idle,
  }),
  countByStatus: async () => completeCounts([], 0),
}

async function reported(store: Partial<Store>): Promise<(series: string) => string> {
  const watch = watchStore({ store: { ...quiet, ...store }, now })
  await setImmediate()
  watch.close()
  const text = await metrics.metrics()
  return (series) => text.split('\n').find((line) => line.startsWith(`${series} `)) ?? 'nothing'
}

const age = 'einvoicing_undecided_oldest_age_seconds'

test('the age of the oldest undecided invoice is in seconds, and 0 without any', async () => {
  expect((await reported({ oldestUndecided: async () => early }))(age)).toBe(`${age} 30`)
  expect((await reported({}))(age)).toBe(`${age} 0`)
  const ahead = (moment: string) => reported({ oldestUndecided: async () => moment })
  expect((await ahead('2026-05-03T10:01:30Z'))(age)).toBe(`${age} 0`)
  // The clock was set back since.
  expect((await ahead('2026-05-03T11:00:30Z'))(age)).toBe(`${age} 3600`)
})

test('the backlog of bus and archive is counted, with the age of its oldest', async () => {
  const backlogs = async () => ({
    outbox: { count: 7, oldest: early },
    archive: idle,
    timeStamps: { count: 2, oldest: early },
    evidence: { count: 4, oldest: early },
    renewals: { count: 5, oldest: early },
    archiveDeadLetters: { count: 3, oldest: early },
  })
  const of = await reported({ backlogs })
  for (const series of [
    'einvoicing_backlog_count{backlog="outbox"} 7',
    'einvoicing_backlog_count{backlog="archive"} 0',
    'einvoicing_backlog_count{backlog="timeStamps"} 2',
    'einvoicing_backlog_count{backlog="evidence"} 4',
    'einvoicing_backlog_oldest_age_seconds{backlog="renewals"} 30',
    'einvoicing_backlog_oldest_age_seconds{backlog="timeStamps"} 30',
    'einvoicing_archive_dead_letters 3',
    'einvoicing_backlog_oldest_age_seconds{backlog="outbox"} 30',
    'einvoicing_backlog_oldest_age_seconds{backlog="archive"} 0',
  ]) {
    expect(of(series.split(' ')[0]!)).toBe(series)
  }
})

test('reports every status, also one that no invoice has', async () => {
  const of = await reported({
    countByStatus: async () => completeCounts([{ status: 'FAILED', count: 2 }], 9),
  })
  expect(of('einvoicing_invoices{status="FAILED"}')).toMatch(/ 2$/)
  expect(of('einvoicing_invoices{status="ACCEPTED"}')).toMatch(/ 7$/)
  expect(of('einvoicing_invoices{status="PENDING"}')).toMatch(/ 0$/)
})

test('FAILED leaves out credit notes that no user can send again', async () => {
  const of = await reported({
    countByStatus: async () => completeCounts([{ status: 'FAILED', count: 5 }], 9, 3),
  })
  expect(of('einvoicing_invoices{status="FAILED"}')).toMatch(/ 2$/)
  expect(of('einvoicing_invoices{status="PRECEDING_INVOICE_REJECTED"}')).toMatch(/ 3$/)
  expect(of('einvoicing_invoices{status="ACCEPTED"}')).toMatch(/ 4$/)
})

test('an unavailable store leaves the other metrics readable and reports no old values', async () => {
  const away = () => Promise.reject(new Error('the disk is gone'))
  await reported({ oldestUndecided: async () => early })
  const of = await reported({ oldestUndecided: away, backlogs: away, countByStatus: away })
  for (const series of [
    age,
    'einvoicing_backlog_count{backlog="outbox"}',
    'einvoicing_backlog_oldest_age_seconds{backlog="archive"}',
    'einvoicing_invoices{status="SIGNED"}',
  ]) {
    expect(of(series)).toBe(`${series} Nan`)
  }
  expect(of('einvoicing_invoice_transitions_total')).not.toBe('')
})

test('a scrape does not wait for a store that does not answer', async () => {
  const never = () => new Promise<never>(() => undefined)
  const of = await reported({ oldestUndecided: never, backlogs: never, countByStatus: never })
  expect(of(age)).toContain(age)
})

test('ACCEPTED is the rest of the total, and never negative', () => {
  const counted = [{ status: 'SIGNED', count: 3 } as const]
  expect(completeCounts(counted, 5)).toMatchObject({ SIGNED: 3, ACCEPTED: 2, CANCELLED: 0 })
  expect(completeCounts(counted, 2)).toMatchObject({ SIGNED: 3, ACCEPTED: 0 })
})
