import { serviceCaller } from './caller'
import type { ArtefactsService } from '@einvoicing/proto/artefacts'
import type { Call, Service } from './call'
import type { ServiceName } from './service-name'

export type CheckpointCalls = Pick<
  Service<ArtefactsService>,
  'timeStampDigest' | 'keepAuditCheckpoint'
>

const deadlineMs = 30_000

export function callArchive(service: ServiceName, artefacts: CheckpointCalls) {
  const call = (): Call => ({
    caller: serviceCaller(service),
    requestId: `audit-checkpoint-${service}`,
    deadline: Date.now() + deadlineMs,
  })
  return {
    async timeStamp(digest: Buffer, notBefore: string): Promise<Uint8Array | undefined> {
      return (await artefacts.timeStampDigest({ digest, notBefore }, call())).token
    },
    async store(checkpoint: { date: string; madeAt: string; content: Buffer }) {
      return (await artefacts.keepAuditCheckpoint(checkpoint, call())).otherMadeAt
    },
  }
}
