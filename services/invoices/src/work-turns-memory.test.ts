import { setImmediate } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { createLog } from '@einvoicing/runtime/log'
import { RequestsFirst } from './requests-first'
import { startTurns } from './work-turns'

const piecesMax = 40_000
/** A race with a promise that outlives the run held 313. */
const bytesAPieceMax = 100

let before = 0
let loop: ReturnType<typeof startTurns> | undefined

it('keeps nothing of the pieces that it has done', async () => {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as () => void
  let taken = 0
  const takeWork = async ({ count }: { count: number }) =>
    Array.from({ length: Math.min(count, piecesMax - taken) }, () => {
      taken += 1
      const ids = { organizationId: `o-${taken}`, invoiceId: `i-${taken}` }
      return { position: String(taken), ...ids, part: 'signed-xml', attempts: 0 }
    })
  const store = { takeWork } as never
  const deps = {
    store,
    now: () => new Date(),
    requests: new RequestsFirst(),
    log: createLog('silent'),
  }
  const times = { longestPauseMs: 0, leaseMs: 0, stopMessage: 'stopped' }
  let done = 0
  const allDone = new Promise<void>((resolve) => {
    const attempt = async () => {
      await setImmediate()
      done += 1
      if (done === piecesMax / 2) {
        collect()
        before = process.memoryUsage().heapUsed
      }
      if (done === piecesMax) resolve()
    }
    loop = startTurns(deps, { name: 'test', queue: 'archive', ...times }, () => attempt)
  })
  await allDone
  collect()
  const grown = process.memoryUsage().heapUsed - before
  await loop?.close()
  expect(grown / (piecesMax / 2)).toBeLessThan(bytesAPieceMax)
})
