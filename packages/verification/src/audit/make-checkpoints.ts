/** One a day, also for missed days: a date without a checkpoint means that one was removed. */

import { Gauge } from 'prom-client'
import type { AuditChains, AuditLog, CheckpointState } from '@einvoicing/runtime/audit-chain'
import type { Clock } from '@einvoicing/runtime/clock'
import type { Log } from '@einvoicing/runtime/log'
import { startLoop, type Loop } from '@einvoicing/runtime/loop'
import { metrics } from '@einvoicing/runtime/metrics'
import { CheckpointWriter, dayMs, madeUpMax, toDate } from './checkpoint'

export interface CheckpointArchive {
  /** `undefined` without an authority; throws while it is unavailable. */
  timeStamp(root: Buffer, notBefore: string): Promise<Uint8Array | undefined>
  /** `undefined` once stored. Another one of its date stays: when that was made, '' if not valid. */
  store(checkpoint: { date: string; madeAt: string; content: Buffer }): Promise<string | undefined>
}

export interface CheckpointDeps {
  auditLog: AuditLog
  chains: Pick<
    AuditChains,
    'listAuditHeads' | 'takeCheckpointTurn' | 'readCheckpointState' | 'writeCheckpointState'
  >
  archive: CheckpointArchive
  now: Clock
  log: Log
}

const age = new Gauge({
  name: 'einvoicing_audit_checkpoint_age_seconds',
  help: 'Age of the newest checkpoint of an audit log, or how far it is ahead of the clock, 0 while the log has no entry; of the store, not of this process',
  labelNames: ['log'],
  registers: [metrics],
})

const pauseMs = 60_000
/** Runs without an attempt after a failed one, which may have bought its time stamp. */
const restMax = 60
/** Longer than a checkpoint takes. */
const turnMs = 180_000
const headsAtOnce = 1_000

export function startCheckpoints(deps: CheckpointDeps): Loop {
  const closing = new AbortController()
  const { signal } = closing
  const run = createRun(deps, signal)
  const loop = startLoop({ name: 'audit-checkpoint', pauseMs, log: deps.log }, async () => {
    try {
      await run()
    } catch (error) {
      if (!signal.aborted) throw error
    }
  })
  return {
    wake: () => loop.wake(),
    close() {
      closing.abort()
      return loop.close()
    },
  }
}

/** Rests after a stamp that was bought for nothing, twice as long each time; throws its failure. */
export function createRun(deps: CheckpointDeps, closing: AbortSignal): () => Promise<void> {
  let rest = 0
  let nextRest = 1
  let failure: unknown
  let stamps = 0
  const archive: CheckpointArchive = {
    async timeStamp(root, notBefore) {
      const token = await deps.archive.timeStamp(root, notBefore)
      if (token) stamps += 1
      return token
    },
    store: (checkpoint) => deps.archive.store(checkpoint),
  }
  return async () => {
    const due = listDueDates(await readState(deps), deps.now())
    if (due.length === 0) {
      ;[rest, nextRest] = [0, 1]
      return
    }
    if (rest > 0) {
      rest -= 1
      throw failure
    }
    const before = stamps
    try {
      await makeDueCheckpoints({ ...deps, archive }, closing)
    } catch (error) {
      failure = error
      if (stamps > before) [rest, nextRest] = [nextRest, Math.min(restMax, 2 * nextRest)]
      throw error
    }
  }
}

export async function makeDueCheckpoints(
  deps: CheckpointDeps,
  closing: AbortSignal = new AbortController().signal,
): Promise<string[]> {
  const { auditLog, chains, now, log } = deps
  const state = await readState(deps)
  const at = now()
  const due = listDueDates(state, at).length
  if (due === 0) return []
  const [head] = await chains.listAuditHeads(undefined, 1)
  if (!head) return []
  // So that a late first one is noticed too.
  if (!state) await chains.writeCheckpointState({ at: at.toISOString() })
  const made: string[] = []
  let held: string | undefined
  while (made.length < due) {
    closing.throwIfAborted()
    held = await takeTurn(deps, held)
    const before = held === undefined ? undefined : await chains.readCheckpointState()
    const [date] = before ? listDueDates(before, at) : []
    if (!before || date === undefined) break
    const { isKept, ...next } = await makeCheckpoint(deps, { date, before }, closing)
    await chains.writeCheckpointState(next)
    setAge(auditLog, next, now())
    if (isKept) log.info({ auditLog, date }, 'audit checkpoint made')
    made.push(date)
  }
  return made
}

async function readState({
  auditLog,
  chains,
  now,
}: CheckpointDeps): Promise<CheckpointState | undefined> {
  const state = await chains.readCheckpointState().catch((error: unknown) => {
    age.set({ log: auditLog }, NaN)
    throw error
  })
  setAge(auditLog, state, now())
  return state
}

function setAge(log: AuditLog, state: CheckpointState | undefined, now: Date): void {
  // One made while a clock was ahead counts too: until its date no other is made.
  const ageMs = state ? Math.abs(now.getTime() - Date.parse(state.at)) : 0
  age.set({ log }, ageMs / 1_000)
}

/** Until when; `undefined` while another process has it. */
async function takeTurn(
  { chains, now }: Pick<CheckpointDeps, 'chains' | 'now'>,
  held: string | undefined,
): Promise<string | undefined> {
  const at = now()
  const until = new Date(at.getTime() + turnMs).toISOString()
  const isTaken = await chains.takeCheckpointTurn({ now: at.toISOString(), until, held })
  return isTaken ? until : undefined
}

/** The days after the newest until today. */
export function listDueDates(state: CheckpointState | undefined, now: Date): string[] {
  const today = Math.floor(now.getTime() / dayMs)
  const last = state?.date === undefined ? today - 1 : Date.parse(state.date) / dayMs
  const first = Math.max(last + 1, today - madeUpMax)
  const count = Math.max(0, today - first + 1)
  return Array.from({ length: count }, (_, index) => toDate((first + index) * dayMs))
}

interface Due {
  date: string
  before: CheckpointState
}

async function makeCheckpoint(
  { auditLog, chains, archive, now, log }: CheckpointDeps,
  { date, before }: Due,
  closing: AbortSignal,
): Promise<Required<CheckpointState> & { isKept: boolean }> {
  const begun = now()
  const writer = new CheckpointWriter(auditLog, date)
  let after: string | undefined
  for (;;) {
    const heads = await chains.listAuditHeads(after, headsAtOnce)
    closing.throwIfAborted()
    await writer.add(heads)
    after = heads.at(-1)?.organizationId
    if (heads.length < headsAtOnce) break
  }
  const token = await untilAborted(archive.timeStamp(writer.root(), begun.toISOString()), closing)
  const madeAt = now().toISOString()
  const content = await writer.end(madeAt, token)
  const otherMadeAt = await untilAborted(archive.store({ date, madeAt, content }), closing)
  if (otherMadeAt === undefined) return { date, at: madeAt, isKept: true }
  // A process whose turn ended may have been faster, with the heads of some moments before.
  const isOfNow = Date.parse(otherMadeAt) >= begun.getTime() - turnMs
  if (!isOfNow) log.error({ auditLog, date, otherMadeAt }, otherMessage)
  return { date, at: otherMadeAt === '' ? before.at : otherMadeAt, isKept: false }
}

const otherMessage =
  'the archive already has another checkpoint of this day: unless a process was stopped before it ' +
  'had recorded that one, it was not made by this service; see npm run admin -- audit verify'

function untilAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const stop = () => reject(new Error('the process is stopping'))
    if (signal.aborted) stop()
    signal.addEventListener('abort', stop, { once: true })
    void work.then(resolve, reject).finally(() => signal.removeEventListener('abort', stop))
  })
}
