import type { X509Certificate } from 'node:crypto'
import { ApiError, unavailable } from '@einvoicing/domain/api-error'
import { nameLevel, type SignatureLevelName } from '@einvoicing/domain/signature-level'
import type { Clock } from '@einvoicing/runtime/clock'
import {
  appendEvidence,
  type Evidence,
  type RevocationData,
} from '@einvoicing/verification/evidence'
import { parseCertificate } from '@einvoicing/verification/parse-certificate'
import { findSigner } from '@einvoicing/verification/time-stamps/check-token'
import type { HashName } from '@einvoicing/verification/time-stamps/algorithms'
import { parseToken } from '@einvoicing/verification/time-stamps/token'
import { withHeld } from '../revocations/held-revocations'
import { CertificateEnded, type Revocations } from '../revocations/revocations'
import type { CertificateChain, TimeStamps } from '../time-stamps/time-stamps'
import type { EvidenceThreads } from './threads'
import { collectValidationData, type ChainToProve, type ValidationData } from './validation-data'
import type { ReadDocument } from './worker'

export interface Composer {
  timeStamps: TimeStamps
  hash: HashName
  revocations: Revocations
  threads: EvidenceThreads
  now: Clock
  /** `signers` is `undefined` when issuers are not checked. */
  readTrust(): Promise<{
    signers: readonly X509Certificate[] | undefined
    timeStamps: readonly X509Certificate[]
  }>
}

/** Another attempt would fail as this one did, or cost another time stamp. */
export class InvalidEvidence extends Error {
  override readonly name = 'InvalidEvidence'
}

type Trust = Awaited<ReturnType<Composer['readTrust']>>

interface Parts {
  original: Buffer
  token: Buffer
  isArchive: boolean
  /** The document that this one replaces. */
  held?: ReadDocument
}

/** Adds revocation data about signer and stamp; with `isArchive` an archive time stamp over all. */
export async function composeEvidence(
  composer: Composer,
  { original, token, isArchive, held }: Parts,
  deadline: number,
): Promise<Buffer> {
  const trust = await composer.readTrust()
  const stamped = appendEvidence(original, [{ kind: 'signatureTimeStamp', token }])
  const { signers } = await composer.threads.read(stamped, deadline)
  const { time } = parseToken(token).info
  const own: ChainToProve[] = [
    {
      certificates: toChain(signers),
      trusted: trust.signers,
      at: time,
      since: time,
      mayBeRevokedLater: true,
    },
    { certificates: readTokenChain(token), trusted: trust.timeStamps, at: time, since: time },
  ]
  const revocations = held
    ? withHeld(composer.revocations, toRevocationData(held))
    : composer.revocations
  const prove = async (chains: readonly ChainToProve[]): Promise<Buffer> => {
    const data = await collect({ revocations }, chains, deadline)
    const withData = appendEvidence(stamped, [
      ...writeCertificates(data.certificates),
      { kind: 'revocationData', ...data },
    ])
    const problem = await findProblem(composer, withData, { level: 'LT', trust, deadline })
    if (problem === undefined) return withData
    throw new Error(`the signature with evidence was not stored: ${problem}`)
  }
  const withData = await prove(own)
  if (!isArchive) return withData
  const next = await composer.timeStamps.certificates(deadline)
  const others = nextChain(composer, token, { next, trust })
  const proven = others.length === 0 ? withData : await prove([...own, ...others])
  return stampArchive(composer, proven, { number: 1, next, notBefore: time, trust, deadline })
}

function toRevocationData({ revocationData }: ReadDocument): RevocationData {
  const { crls, ocspResponses } = revocationData
  const read = (list: Uint8Array[]) => list.map((bytes) => Buffer.from(bytes))
  return { crls: read(crls), ocspResponses: read(ocspResponses) }
}

async function collect(
  { revocations }: Pick<Composer, 'revocations'>,
  chains: readonly ChainToProve[],
  deadline: number,
): Promise<ValidationData> {
  try {
    return await collectValidationData(chains, { revocations, deadline })
  } catch (error) {
    const cause = error instanceof ApiError ? error.cause : undefined
    if (cause instanceof CertificateEnded) throw new InvalidEvidence(cause.message, { cause })
    throw error
  }
}

export async function requireValid(
  composer: Composer,
  { document, ...expected }: Expected & { document: Buffer },
  deadline: number,
): Promise<void> {
  const trust = await composer.readTrust()
  const problem = await findProblem(composer, document, { ...expected, trust, deadline })
  if (problem !== undefined) throw new InvalidEvidence(`the evidence is not valid: ${problem}`)
}

/** Adds an archive time stamp, and what proves the one before. */
export async function renewEvidence(
  composer: Composer,
  { document, read }: { document: Buffer; read: ReadDocument },
  deadline: number,
): Promise<Buffer> {
  const trust = await composer.readTrust()
  const last = lastToken(read)
  const { time } = parseToken(last).info
  const next = await composer.timeStamps.certificates(deadline)
  // The first token is over the signature.
  const number = read.tokens.length
  const chains: ChainToProve[] = [
    { certificates: readTokenChain(last), trusted: trust.timeStamps, at: time, since: time },
    ...nextChain(composer, last, { next, trust }),
  ]
  const data = await collect(composer, chains, deadline)
  const held = new Set(read.certificates.map((bytes) => Buffer.from(bytes).toString('base64')))
  const isNew = ({ raw }: X509Certificate) => !held.has(raw.toString('base64'))
  const proven = appendEvidence(document, [
    ...writeCertificates(data.certificates.filter(isNew)),
    { kind: 'timeStampValidationData', number: number - 1, ...data },
  ])
  // The new data may name a certificate of an earlier stamp, or the signer's.
  const checked = { document: proven, level: 'LTA', isStampedNext: true } as const
  await requireValid(composer, checked, deadline)
  return stampArchive(composer, proven, { number, next, notBefore: time, trust, deadline })
}

export function lastToken({ tokens }: ReadDocument): Buffer {
  const token = tokens.at(-1)
  if (!token) throw new Error('the artefact of evidence holds no time stamp')
  return Buffer.from(token)
}

/** The certificate that signed the token, then those sent with it. */
export function readTokenChain(token: Buffer): CertificateChain {
  const parsed = parseToken(token)
  const signer = findSigner(parsed)
  return [signer, ...parsed.certificates.filter((one) => one !== signer)]
}

interface Context {
  trust: Trust
  deadline: number
}

/** Of the next stamp, unless the document's last one has the same certificate. */
function nextChain(
  { now }: Composer,
  token: Buffer,
  { next, trust }: { next: CertificateChain; trust: Trust },
): ChainToProve[] {
  if (isSame(next, readTokenChain(token))) return []
  return [{ certificates: next, trusted: trust.timeStamps, at: now() }]
}

function isSame([one]: CertificateChain, [other]: CertificateChain): boolean {
  return one.raw.equals(other.raw)
}

function toChain(certificates: readonly Uint8Array[]): CertificateChain {
  const [first, ...others] = certificates.map(parseCertificate)
  if (!first) throw new Error('the signature holds no certificate')
  return [first, ...others]
}

function writeCertificates(certificates: readonly X509Certificate[]): Evidence[] {
  if (certificates.length === 0) return []
  return [{ kind: 'certificates', certificates: certificates.map(({ raw }) => raw) }]
}

interface ArchiveStamp {
  number: number
  /** About which the document holds revocation data. */
  next: CertificateChain
  notBefore: Date
}

async function stampArchive(
  composer: Composer,
  xml: Buffer,
  { number, next, notBefore, ...context }: Context & ArchiveStamp,
): Promise<Buffer> {
  const { timeStamps, hash, threads } = composer
  const { deadline } = context
  const digest = await threads.digest({ xml, hash }, deadline)
  const { token, certificates } = await timeStamps.stamp({ hash, digest, notBefore, deadline })
  if (!isSame(certificates, next)) {
    // The document holds revocation data about another certificate: retried with this one.
    throw unavailable('Evidence', new Error('the authority now uses another certificate'))
  }
  const archived = appendEvidence(xml, [{ kind: 'archiveTimeStamp', number, token }])
  const problem = await findProblem(composer, archived, { level: 'LTA', ...context })
  if (problem === undefined) return archived
  throw new InvalidEvidence(`the signature with evidence was not stored: ${problem}`)
}

interface Expected {
  level: 'LT' | 'LTA'
  isStampedNext?: boolean
}

async function findProblem(
  { threads, now }: Composer,
  xml: Buffer,
  { level, isStampedNext = false, trust, deadline }: Context & Expected,
): Promise<string | undefined> {
  const task = {
    xml,
    signers: trust.signers?.map(({ raw }) => raw),
    timeStamps: trust.timeStamps.map(({ raw }) => raw),
    now: now(),
    isStampedNext,
  }
  const { level: reached, problem } = await threads.verify(task, deadline)
  const expected: SignatureLevelName = nameLevel(level)
  if (problem !== undefined || reached === expected) return problem
  return `its level is ${reached}, not ${expected}`
}
