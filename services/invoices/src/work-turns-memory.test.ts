import { setImmediate } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { createLog } from '@einvoicing/runtime/log'
import { RequestsFirst } from './requests-first'
import { startTurns } from './work-turns'

const piecesMax = 40_000
/** Races with a promise that outlives the run held 449. */
const bytesAPieceMax = 100

it('keeps nothing of the pieces that it has done', async () => {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as () => void
  const measure = () => {
    collect()
    return process.memoryUsage().heapUsed
  }
  let taken = 0
  const takeWork = async ({ count }: { count: number }) =>
    Array.from({ length: Math.min(count, piecesMax - taken) }, () => {
      taken += 1
      const ids = { organizationId: `o-${taken}`, invoiceId: `i-${taken}` }
      return { position: String(taken), ...ids, part: 'signed-xml', attempts: 0 }
    })
  const [store, log] = [{ takeWork } as never, createLog('silent')]
  const deps = { store, now: () => new Date(), requests: new RequestsFirst(), log }
  const times = { longestPauseMs: 0, leaseMs: 0, stopMessage: 'stopped' }
  let [done, before] = [0, 0]
  let endAll: () => void = () => undefined
  const allDone = new Promise<void>((resolve) => (endAll = resolve))
  const attempt = async () => {
    await setImmediate()
    done += 1
    if (done === piecesMax / 2) before = measure()
    if (done === piecesMax) endAll()
  }
  const loop = startTurns(deps, { name: 'test', queue: 'archive', ...times }, () => attempt)
  await allDone
  const grown = measure() - before
  await loop.close()
  expect(grown / (piecesMax / 2)).toBeLessThan(bytesAPieceMax)
})
