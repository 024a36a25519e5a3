/** A child process that opens a store, as an upgraded service does, and waits to be killed. */

import { createLog } from '@einvoicing/runtime/log'
import { openMongoStore } from '../mongo/mongo-store'
import { openSqliteStore } from '../sqlite/sqlite-store'

async function main(kind: 'mongodb' | 'sqlite', place: string): Promise<void> {
  process.stdout.write('opening\n')
  const fail = (error: Error) => {
    throw error
  }
  if (kind === 'sqlite') await openSqliteStore(place, fail)
  else {
    const log = createLog('warn')
    await openMongoStore({ kind, url: place }, { now: () => new Date(), log })
  }
  process.stdout.write('open\n')
  setInterval(() => undefined, 1_000)
}

void main(process.argv[2] as 'mongodb' | 'sqlite', process.argv[3] as string)
