import type { Call } from '@einvoicing/rpc/call'
import type { KeepAuditCheckpointRequest } from '@einvoicing/proto/artefacts'
import type { Empty } from '@einvoicing/proto/google/protobuf/empty'
import { checkpointKey } from '@einvoicing/verification/audit/checkpoint'
import { computeRetention } from '../artefact'
import { sha256Hex } from '../objects/digest'
import { ObjectTaken, type Objects } from '../objects/objects'

export async function keepAuditCheckpoint(
  { objects }: { objects: Pick<Objects, 'put'> },
  { date, madeAt, content: bytes }: KeepAuditCheckpointRequest,
  { caller }: Call,
): Promise<Empty> {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(date) || Number.isNaN(Date.parse(madeAt))) {
    throw new Error(`${caller.service} sent a checkpoint without a valid day`)
  }
  const key = checkpointKey(caller.service, date)
  const retainUntil = computeRetention({ invoiceDate: date, signedAt: madeAt })
  const mediaType = 'application/gzip'
  try {
    await objects.put(key, { bytes, mediaType, sha256: sha256Hex(bytes), retainUntil })
  } catch (error) {
    // Another process was faster, or the store is older than the archive.
    if (!(error instanceof ObjectTaken)) throw error
  }
  return {}
}
