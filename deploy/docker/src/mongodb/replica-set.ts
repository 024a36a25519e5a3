import { setTimeout as pause } from 'node:timers/promises'
import { runCommand, codes, unless } from './server'

const setName = 'rs0'
const pollEveryMs = 500
const reportEveryMs = 10_000
const giveUpAfterMs = 10 * 60_000

/**
 * Waits for the server, makes the set unless it is there, and waits for its primary. Throws one
 * sentence when ten minutes were not enough.
 */
export async function openReplicaSet(
  host: string,
  report: (sentence: string) => void,
): Promise<void> {
  await until('MongoDB to answer', report, async () => (await runCommand({ ping: 1 }))['ok'] === 1)
  const config = { _id: setName, members: [{ _id: 0, host }] }
  await runCommand({ replSetInitiate: config }).catch(
    unless(codes.alreadyInitialized, codes.unauthorized),
  )
  await until('the replica set to have a primary', report, async () => {
    return (await runCommand({ hello: 1 }))['isWritablePrimary'] === true
  })
}

async function until(
  what: string,
  report: (sentence: string) => void,
  isSo: () => Promise<boolean>,
): Promise<void> {
  const startedAt = Date.now()
  let reportedAt = startedAt
  for (;;) {
    if (await isSo().catch(() => false)) return
    const now = Date.now()
    if (now - startedAt > giveUpAfterMs)
      throw new Error(`Timed out after 10 min waiting for ${what}`)
    if (now - reportedAt > reportEveryMs) {
      report(`waiting for ${what}`)
      reportedAt = now
    }
    await pause(pollEveryMs)
  }
}
