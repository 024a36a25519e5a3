import type { Sqlite } from '@einvoicing/stores/sqlite'
import { RateLimiterSQLite } from 'rate-limiter-flexible'
import { attemptCounter, uncounted } from '../attempt-counter'
import { answer } from './answer'
import type { OrganizationStore } from '../store'

export function attempts(database: Sqlite): Pick<OrganizationStore, 'countAttempts'> {
  const forgetEnded = database.prepare('DELETE FROM attempt WHERE expire < ?')
  return {
    countAttempts({ name, windowMs }) {
      const limiter = new RateLimiterSQLite({
        storeClient: database,
        storeType: 'better-sqlite3',
        tableName: 'attempt',
        tableCreated: true,
        keyPrefix: name,
        points: uncounted,
        duration: windowMs / 1000,
      })
      return attemptCounter((work) =>
        answer(() => {
          forgetEnded.run([Date.now()])
          return work(limiter)
        }),
      )
    },
  }
}
