/** One a day, also for missed days: a date without a checkpoint means that one was removed. */

import { Gauge } from 'prom-client'
import type { AuditChains, AuditLog, CheckpointState } from '@einvoicing/domain/audit-chain'
import type { Clock } from '@einvoicing/runtime/clock'
import type { Log } from '@einvoicing/runtime/log'
import { startLoop, type Loop } from '@einvoicing/runtime/loop'
import { metrics } from '@einvoicing/runtime/metrics'
import { CheckpointWriter } from './checkpoint'

export interface CheckpointArchive {
  /** `undefined` without an authority; throws while it is unavailable. */
  timeStamp(root: Buffer, notBefore: string): Promise<Uint8Array | undefined>
  /** An existing checkpoint of the date stays. */
  keep(checkpoint: { date: string; madeAt: string; content: Buffer }): Promise<void>
}

export interface CheckpointDeps {
  auditLog: AuditLog
  chains: Pick<
    AuditChains,
    'listAuditHeads' | 'takeCheckpointTurn' | 'readCheckpointState' | 'writeCheckpointState'
  >
  archive: CheckpointArchive
  now: Clock
}

const age = new Gauge({
  name: 'einvoicing_audit_checkpoint_age_seconds',
  help: 'Age of the newest checkpoint of an audit log, or how far it is ahead of the clock, 0 while the log has no entry; of the store, not of this process',
  labelNames: ['log'],
  registers: [metrics],
})

const pauseMs = 60_000
const dayMs = 86_400_000
/** Longer than a checkpoint takes. */
const turnMs = 180_000
const headsAtOnce = 1_000
/** After a longer pause only the newest are made up. */
const madeUpMax = 400

export function startCheckpoints(deps: CheckpointDeps & { log: Log }): Loop {
  const { auditLog, log } = deps
  return startLoop({ name: 'audit-checkpoint', pauseMs, log }, async () => {
    const made = await makeDueCheckpoints(deps)
    for (const date of made) log.info({ auditLog, date }, 'audit checkpoint made')
  })
}

export async function makeDueCheckpoints(deps: CheckpointDeps): Promise<string[]> {
  const { auditLog, chains, now } = deps
  const state = await chains.readCheckpointState().catch((error: unknown) => {
    age.set({ log: auditLog }, NaN)
    throw error
  })
  const at = now()
  // One made while a clock was ahead counts too: until its date no other is made.
  const ageMs = state ? Math.abs(at.getTime() - Date.parse(state.at)) : 0
  age.set({ log: auditLog }, ageMs / 1_000)
  const dates = listDueDates(state, at)
  if (dates.length === 0) return []
  const [head] = await chains.listAuditHeads(undefined, 1)
  if (!head) return []
  // So that a late first one is noticed too.
  if (!state) await chains.writeCheckpointState({ at: at.toISOString() })
  const until = new Date(at.getTime() + turnMs).toISOString()
  if (!(await chains.takeCheckpointTurn({ now: at.toISOString(), until }))) return []
  for (const date of dates) {
    const made = await makeCheckpoint(deps, date)
    await chains.writeCheckpointState(made)
  }
  age.set({ log: auditLog }, 0)
  return dates
}

/** The days after the newest until today. */
export function listDueDates(state: CheckpointState | undefined, now: Date): string[] {
  const today = Math.floor(now.getTime() / dayMs)
  const last = state?.date === undefined ? today - 1 : Date.parse(state.date) / dayMs
  const first = Math.max(last + 1, today - madeUpMax)
  const count = Math.max(0, today - first + 1)
  return Array.from({ length: count }, (_, index) => toDate(first + index))
}

const toDate = (day: number) => new Date(day * dayMs).toISOString().slice(0, 10)

async function makeCheckpoint(
  { auditLog, chains, archive, now }: CheckpointDeps,
  date: string,
): Promise<Required<CheckpointState>> {
  const begunAt = now().toISOString()
  const writer = new CheckpointWriter(auditLog, date)
  let after: string | undefined
  for (;;) {
    const heads = await chains.listAuditHeads(after, headsAtOnce)
    await writer.add(heads)
    after = heads.at(-1)?.organizationId
    if (heads.length < headsAtOnce) break
  }
  const token = await archive.timeStamp(writer.root(), begunAt)
  const madeAt = now().toISOString()
  const content = await writer.end(madeAt, token)
  await archive.keep({ date, madeAt, content })
  return { date, at: madeAt }
}
