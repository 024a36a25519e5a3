import Database from 'libsql'
import { migrations } from './schema'
import { figureStatements } from './statistics'
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
  const { archiveDeadLetters } = figureStatements(database).backlogs()
  expect(archiveDeadLetters).toEqual({ count: backlogCountMax, oldest: '2026' })
  database.close()
})
