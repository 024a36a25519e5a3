import { createHash } from 'node:crypto'
import { ApiError, unavailable } from '@einvoicing/domain/api-error'
import type { SignatureLevel } from '@einvoicing/domain/signature-level'
import type {
  TimeStampAnswer,
  TimeStampDigestRequest,
  TimeStampSignatureRequest,
} from '@einvoicing/proto/artefacts'
import type { Call } from '@einvoicing/rpc/call'
import { callerOrganization } from '@einvoicing/rpc/caller'
import { signatureTimeStampInput } from '@einvoicing/verification/evidence'
import { readSignedParts } from '@einvoicing/verification/signature-form'
import { hashes, type HashName } from '@einvoicing/verification/time-stamps/algorithms'
import { parseCertificates } from '@einvoicing/verification/verify-document'
import { artefactKey } from '../artefact'
import type { Objects } from '../objects/objects'
import type { TimeStamp, TimeStamps } from '../time-stamps/time-stamps'

export interface Stamping {
  objects: Pick<Objects, 'get'>
  /** Absent where no authority is set. */
  evidence: { level: SignatureLevel; timeStamps: TimeStamps; hash: HashName } | undefined
}

export async function timeStampDigest(
  { evidence }: Pick<Stamping, 'evidence'>,
  { digest, notBefore }: TimeStampDigestRequest,
  { caller, deadline }: Call,
): Promise<TimeStampAnswer> {
  const names = Object.keys(hashes) as HashName[]
  const hash = names.find((name) => hashes[name].bytes === digest.length)
  const earliest = new Date(notBefore)
  if (hash === undefined || Number.isNaN(earliest.getTime())) {
    throw new Error(`${caller.service} asked to time-stamp what is no digest, or since no moment`)
  }
  if (!evidence) return {}
  return toAnswer(await evidence.timeStamps.stamp({ hash, digest, notBefore: earliest, deadline }))
}

/** Of the signature alone: the rest of the document is covered by it. */
export async function timeStampSignature(
  { objects, evidence }: Stamping,
  { invoiceId }: TimeStampSignatureRequest,
  { caller, deadline }: Call,
): Promise<TimeStampAnswer> {
  if (!evidence || evidence.level === 'B') return {}
  const { hash, timeStamps } = evidence
  const original = await objects.get(
    artefactKey(callerOrganization(caller), invoiceId, 'signedXml'),
  )
  if (!original) {
    throw new ApiError('ARTEFACT_NOT_AVAILABLE', 'The signed XML is not in the archive.')
  }
  const parts = readSignedParts(original.bytes)
  const digest = createHash(hash).update(signatureTimeStampInput(parts)).digest()
  const notBefore = new Date(parts.signature.signingTime)
  const stamp = await timeStamps.stamp({ hash, digest, notBefore, deadline })
  const [certificate] = parseCertificates(parts.signature.keyInfo)
  // Worse than none: the signature would seem to be made before its certificate was valid.
  if (stamp.time < new Date(certificate.validFrom)) {
    const cause = new Error(`it is of ${stamp.time.toISOString()}, before ${certificate.validFrom}`)
    throw unavailable('A usable time stamp', cause)
  }
  return toAnswer(stamp)
}

function toAnswer({ token, time }: TimeStamp): TimeStampAnswer {
  return { token, time: time.toISOString() }
}
