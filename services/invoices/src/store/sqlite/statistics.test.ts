import Database from 'libsql'
import { originalRejectedCode } from '@einvoicing/domain/creditable'
import { migrations } from './schema'
import { backlogStatements } from './statistics'
import { undecidedReads } from './undecided'
import { backlogCountMax } from '../store'

it('counts dead letters up to the bound of every backlog', () => {
  const database = new Database(':memory:')
  database.exec(migrations.join('\n'))
  database.exec(
    `WITH RECURSIVE letter (n) AS (
       SELECT 1 UNION ALL SELECT n + 1 FROM letter WHERE n <= ${backlogCountMax}
     )
     INSERT INTO archive_dead_letter SELECT n, 'org-1', 'id', 'final', 9, '2026', '' FROM letter`,
  )
  const { archiveDeadLetters } = backlogStatements(database).backlogs()
  expect(archiveDeadLetters).toEqual({ count: backlogCountMax, oldest: '2026' })
  database.close()
})

it('counts failed credit notes of rejected invoices in an index, where many invoices failed', () => {
  const database = new Database(':memory:')
  database.exec(migrations.join('\n'))
  const { detail } = database
    .prepare(
      `EXPLAIN QUERY PLAN SELECT count(*) FROM invoice
       WHERE status = 'FAILED' AND content ->> '$.dgiErrorCode' = '${originalRejectedCode}'`,
    )
    .get([]) as { detail: string }
  expect(detail).toContain('INDEX invoice_failed_by_code (<expr>=?)')
  database.close()
})

it('finds the failed invoices of a span of time by their moment', () => {
  const database = new Database(':memory:')
  database.exec(migrations.join('\n'))
  const prepare = jest.spyOn(database, 'prepare')
  undecidedReads(database)
  const [query = ''] = prepare.mock.calls.map(([sql]) => sql).filter((sql) => /'FAILED'/.test(sql))
  const plan = database.prepare(`EXPLAIN QUERY PLAN ${query}`).all(['', '', '', '', 1])
  expect(plan).toMatchObject([
    { detail: expect.stringMatching(/INDEX invoice_failed \(updated_at>/) as string },
  ])
  database.close()
})
