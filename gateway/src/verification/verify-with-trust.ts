import type { ArtefactsService, Certificates } from '@einvoicing/proto/artefacts'
import type { Clock } from '@einvoicing/runtime/clock'
import type { Call, Service } from '@einvoicing/rpc/call'
import type { VerificationThreads } from './verification-threads'
import type { Verification } from './worker'

export interface TrustingDeps {
  artefacts: Service<ArtefactsService>
  threads: VerificationThreads
  now: Clock
}

export async function verifyWithTrust(
  { artefacts, threads, now }: TrustingDeps,
  document: Buffer,
  call: Call,
): Promise<Verification> {
  const trust = await artefacts.readTrust({}, call)
  const { signers, timeStamps } = trust
  const trusted = { signers: toList(signers), timeStamps: toList(timeStamps) }
  return threads.verify({ document, now: now(), ...trusted }, call.caller.organizationId ?? '')
}

const toList = (sent: Certificates | undefined) => sent?.certificates
