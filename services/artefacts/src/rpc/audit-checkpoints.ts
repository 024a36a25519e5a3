import { ApiError } from '@einvoicing/domain/api-error'
import type { Call } from '@einvoicing/rpc/call'
import type { KeepAuditCheckpointRequest, KeptAuditCheckpoint } from '@einvoicing/proto/artefacts'
import type { Clock } from '@einvoicing/runtime/clock'
import {
  checkpointKey,
  findSealProblem,
  dayMs,
  madeUpMax,
  readCheckpointKey,
  readCheckpointSeal,
} from '@einvoicing/verification/audit/checkpoint'
import { computeRetention } from '../artefact'
import { sha256Hex } from '../objects/digest'
import { ObjectTaken, type Objects } from '../objects/objects'

export interface CheckpointDeps {
  objects: Pick<Objects, 'get' | 'put'>
  now: Clock
}

const clockToleranceMs = dayMs

export async function keepAuditCheckpoint(
  { objects, now }: CheckpointDeps,
  request: KeepAuditCheckpointRequest,
  { caller }: Call,
): Promise<KeptAuditCheckpoint> {
  const { date, madeAt, content: bytes } = request
  const key = checkpointKey(caller.service, date)
  if (!readCheckpointKey(key) || Number.isNaN(Date.parse(madeAt))) {
    throw new Error(`${caller.service} sent a checkpoint without a valid day`)
  }
  if (!isPossible(request, now())) {
    throw new Error(
      `${caller.service} sent a checkpoint of ${date} that was made at ${madeAt}: one of the clocks is wrong`,
    )
  }
  const retainUntil = computeRetention({ invoiceDate: date, signedAt: madeAt })
  const mediaType = 'application/gzip'
  try {
    await objects.put(key, { bytes, mediaType, sha256: sha256Hex(bytes), retainUntil })
    return {}
  } catch (error) {
    // Another process was faster, or the store is older than the archive.
    if (!(error instanceof ObjectTaken)) throw error
    return describeOther({ objects, now }, key, request)
  }
}

/** Missed days are made up; the first version of a key counts, and its lock lasts for years. */
function isPossible({ date, madeAt }: KeepAuditCheckpointRequest, now: Date): boolean {
  const ageMs = now.getTime() - Date.parse(madeAt)
  const dayAgeMs = now.getTime() - Date.parse(date)
  const isRecent =
    ageMs <= clockToleranceMs && dayAgeMs <= (madeUpMax + 1) * dayMs + clockToleranceMs
  const seal = { madeAt, root: '', timeStamp: null }
  return isRecent && findSealProblem(seal, date, { trusted: undefined, now }) === undefined
}

async function describeOther(
  { objects, now }: CheckpointDeps,
  key: string,
  { date, content }: KeepAuditCheckpointRequest,
): Promise<KeptAuditCheckpoint> {
  const sent = await readCheckpointSeal(content)
  const kept = await readKept(objects, key)
  const trust = { trusted: undefined, now: now() }
  if (!kept || findSealProblem(kept, date, trust) !== undefined) return { otherMadeAt: '' }
  if (kept.timeStamp === null && sent.timeStamp !== null) return { otherMadeAt: '' }
  return kept.root === sent.root ? {} : { otherMadeAt: kept.madeAt }
}

/** `undefined` for one that is damaged: it can be neither read nor replaced. */
async function readKept(objects: CheckpointDeps['objects'], key: string) {
  try {
    const object = await objects.get(key)
    return object && (await readCheckpointSeal(object.bytes))
  } catch (error) {
    if (error instanceof ApiError) throw error
    return undefined
  }
}
