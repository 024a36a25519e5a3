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
import { findPath } from '@einvoicing/verification/certificate-chain'
import { signatureTimeStampInput } from '@einvoicing/verification/evidence'
import { hashes, type HashName } from '@einvoicing/verification/time-stamps/algorithms'
import { parseCertificates } from '@einvoicing/verification/verify-document'
import type { Composer } from '../evidence/compose'
import type { EvidenceThreads } from '../evidence/threads'
import { spread } from '../evidence/spread'
import { NotYetPublished } from '../revocations/revocations'
import type { TimeStamp, TimeStamps } from '../time-stamps/time-stamps'
import { readArchivedXml, type Archive } from './signed-xml'

/** The stamp is paid for: when it is known only after the caller's deadline, another is. */
const dueSearchMs = 3_000
const answerReserveMs = 2_000

export interface Stamping extends Archive {
  /** Absent when no authority is set. */
  evidence:
    | {
        level: SignatureLevel
        timeStamps: TimeStamps
        hash: HashName
        composer: Pick<Composer, 'revocations' | 'readTrust' | 'now'> & {
          threads: Pick<EvidenceThreads, 'readSignature'>
        }
      }
    | undefined
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
    throw new Error(`${caller.service} sent an invalid digest or date to time-stamp`)
  }
  if (!evidence) return {}
  return toAnswer(await evidence.timeStamps.stamp({ hash, digest, notBefore: earliest, deadline }))
}

/** The signature covers the rest of the document. */
export async function timeStampSignature(
  { evidence, ...archive }: Stamping,
  { invoiceId }: TimeStampSignatureRequest,
  { caller, deadline }: Call,
): Promise<TimeStampAnswer> {
  if (!evidence || evidence.level === 'B') return {}
  const { hash, timeStamps } = evidence
  const original = await readArchivedXml(archive, callerOrganization(caller), invoiceId)
  if (!original) {
    throw new ApiError('ARTEFACT_NOT_AVAILABLE', 'The signed XML is not in the archive.')
  }
  const signature = await evidence.composer.threads.readSignature(original, deadline)
  const [certificate] = parseCertificates(signature.keyInfo)
  // A stamp would prove nothing.
  if (new Date(certificate.validTo) < evidence.composer.now()) return {}
  const digest = createHash(hash).update(signatureTimeStampInput({ signature })).digest()
  const notBefore = new Date(signature.signingTime)
  const stamp = await timeStamps.stamp({ hash, digest, notBefore, deadline })
  // Worse than none: the signature would seem to be made before its certificate was valid.
  if (stamp.time < new Date(certificate.validFrom)) {
    const cause = new Error(`it is of ${stamp.time.toISOString()}, before ${certificate.validFrom}`)
    throw unavailable('A usable time stamp', cause)
  }
  const evidenceDue = evidence.level === 'T' ? undefined : await findDue(evidence, stamp, deadline)
  return { ...toAnswer(stamp), evidenceDue: evidenceDue?.toISOString() }
}

/** So that no document asks before there can be an answer. */
async function findDue(
  { composer }: NonNullable<Stamping['evidence']>,
  { certificates, time: since }: TimeStamp,
  callDeadline: number,
): Promise<Date> {
  const { revocations, readTrust, now } = composer
  const deadline = Math.min(callDeadline - answerReserveMs, Date.now() + dueSearchMs)
  try {
    const { timeStamps: trusted } = await readTrust()
    const [certificate, issuer] = findPath({ certificates, trusted, at: since }) ?? []
    if (!certificate || !issuer) return now()
    await revocations.about({ certificate, issuer, since, deadline })
    return now()
  } catch (error) {
    return error instanceof NotYetPublished ? spread(error.until, now()) : now()
  }
}

function toAnswer({ token, time }: TimeStamp): TimeStampAnswer {
  return { token, time: time.toISOString() }
}
