/** Evidence is written once, under a number: processes that do the same work agree. */

import { createHash, type X509Certificate } from 'node:crypto'
import { ApiError, unavailable } from '@einvoicing/domain/api-error'
import { nameLevel, type SignatureLevel } from '@einvoicing/domain/signature-level'
import { callerOrganization } from '@einvoicing/rpc/caller'
import type { Call } from '@einvoicing/rpc/call'
import type { Clock } from '@einvoicing/runtime/clock'
import type { Log } from '@einvoicing/runtime/log'
import { metrics, timed } from '@einvoicing/runtime/metrics'
import type { Outage } from '@einvoicing/runtime/outage'
import {
  appendEvidence,
  removeEvidence,
  signatureTimeStampInput,
} from '@einvoicing/verification/evidence'
import { parseToken } from '@einvoicing/verification/time-stamps/token'
import { parseCertificates } from '@einvoicing/verification/verify-document'
import type {
  AddEvidenceRequest,
  Artefact,
  EvidenceAnswer,
  ReadEvidenceRequest,
} from '@einvoicing/proto/artefacts'
import { Histogram } from 'prom-client'
import { artefactKey, computeRetention, evidenceKey, stampedKey, toStoredObject } from '../artefact'
import {
  readTokenChain,
  composeEvidence,
  InvalidEvidence,
  lastToken,
  renewEvidence,
  requireValid,
  type Composer,
} from '../evidence/compose'
import { listHashes } from '@einvoicing/verification/algorithm-ends'
import { computeRenewBy, findEnd, type RenewalConfig } from '../evidence/renew-by'
import { spread } from '../evidence/spread'
import type { ReadDocument } from '../evidence/worker'
import { ObjectTaken, type Objects } from '../objects/objects'
import { CertificateRevoked, NotYetPublished } from '../revocations/revocations'
import { foreignArtefacts } from './foreign-artefacts'

export interface EvidenceDeps {
  objects: Pick<Objects, 'get' | 'put'>
  now: Clock
  log: Log
  evidence:
    | {
        level: SignatureLevel
        composer: Composer
        renewal: RenewalConfig
        invalid: Outage
      }
    | undefined
}

type Evidence = NonNullable<EvidenceDeps['evidence']>

const duration = new Histogram({
  name: 'einvoicing_evidence_duration_seconds',
  help: 'Time until the evidence of a signature was complete and stored, by outcome; waiting for revocation data is a success',
  labelNames: ['outcome'],
  buckets: [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 20],
  registers: [metrics],
})

/** Until an authority is set, may have another certificate, or an operator found the cause. */
const lookAgainMs = 86_400_000

export async function addEvidence(
  { objects, evidence, now, log }: EvidenceDeps,
  request: AddEvidenceRequest,
  call: Call,
): Promise<EvidenceAnswer> {
  if (!evidence) return request.artefact === undefined ? {} : { waitUntil: inADay(now()) }
  const work = new EvidenceWork({ objects, log }, evidence, { request, call })
  return timed(duration, {}, async () => {
    try {
      return await work.run()
    } catch (error) {
      if (error instanceof InvalidEvidence) return work.waitInvalid(error)
      if (!(error instanceof NotYetPublished)) throw error
      return { waitUntil: spread(error.until, now()).toISOString() }
    }
  })
}

export async function readEvidence(
  { objects }: Pick<EvidenceDeps, 'objects'>,
  { invoiceId, artefact }: ReadEvidenceRequest,
  { caller }: Call,
): Promise<Artefact> {
  const stored = await objects.get(evidenceKey(callerOrganization(caller), invoiceId, artefact))
  if (!stored) {
    throw new ApiError('ARTEFACT_NOT_AVAILABLE', 'The evidence is not in the archive.')
  }
  const { bytes: content, mediaType, sha256 } = stored
  return { content, mediaType, sha256 }
}

function inADay(now: Date): string {
  return new Date(now.getTime() + lookAgainMs).toISOString()
}

function isRevoked({ fingerprint256 }: X509Certificate, error: unknown): boolean {
  const cause = error instanceof ApiError ? error.cause : undefined
  return cause instanceof CertificateRevoked && cause.fingerprint256 === fingerprint256
}

interface Asked {
  request: AddEvidenceRequest
  call: Call
}

interface Held {
  artefact: number
  bytes: Buffer
}

interface Found {
  newest: Held | undefined
  nextArchive: number
  isForeignFound: boolean
}

const ofAnother = 'it is of another document'

function missing(): never {
  throw new ApiError('ARTEFACT_NOT_AVAILABLE', 'The signed XML is not in the archive.')
}

class EvidenceWork {
  private readonly organizationId: string
  private readonly objects: EvidenceDeps['objects']
  private readonly log: Log
  private readonly evidence: Evidence
  private readonly request: AddEvidenceRequest
  private readonly deadline: number
  private original: Buffer | undefined

  constructor(
    { objects, log }: Pick<EvidenceDeps, 'objects' | 'log'>,
    evidence: Evidence,
    { request, call }: Asked,
  ) {
    this.organizationId = callerOrganization(call.caller)
    this.objects = objects
    this.log = log
    this.evidence = evidence
    this.request = request
    this.deadline = call.deadline
  }

  async run(): Promise<EvidenceAnswer> {
    const { newest: held, nextArchive: next, isForeignFound } = await this.findNewest()
    const { composer, level } = this.evidence
    if (!held) {
      if (level === 'B' || level === 'T') return {}
      return this.begin(level === 'LT' && !isForeignFound ? 0 : next, this.request.token)
    }
    const read = await composer.threads.read(held.bytes, this.deadline)
    const last = lastToken(read)
    const renewBy = this.renewBy(last)
    const isDue = renewBy !== undefined && renewBy <= composer.now()
    const isBelow = held.artefact === 0 && level === 'LTA'
    if (!isDue && !isBelow) return this.describe(held.artefact, read)
    if (isDue) {
      const expected = { document: held.bytes, level: held.artefact === 0 ? 'LT' : 'LTA' } as const
      await requireValid(composer, expected, this.deadline)
      if (!(await this.isWorthRenewing(last))) return { waitUntil: inADay(composer.now()) }
    }
    if (held.artefact === 0) return this.begin(next, last, read)
    const document = { document: held.bytes, read }
    try {
      return await this.keep(next, await renewEvidence(composer, document, this.deadline))
    } catch (error) {
      if (!isRevoked(readTokenChain(last)[0], error)) throw error
      const [first] = read.tokens
      return await this.begin(next, first && Buffer.from(first), read)
    }
  }

  waitInvalid(err: InvalidEvidence): EvidenceAnswer {
    const { invoiceId } = this.request
    const { composer, invalid } = this.evidence
    const waitUntil = inADay(composer.now())
    const { organizationId } = this
    invalid.failed(invoiceId, {
      err,
      invoiceId,
      organizationId,
      nextAttemptAt: waitUntil,
    })
    return { waitUntil }
  }

  private async begin(
    artefact: number,
    token: Buffer | undefined,
    held?: ReadDocument,
  ): Promise<EvidenceAnswer> {
    const original = await this.readOriginal()
    // It is stamped first.
    if (!token) return {}
    const { composer } = this.evidence
    const isArchive = artefact > 0
    for (let [stamp, latest] = [2, token]; ; stamp += 1) {
      try {
        const parts = { original, token: latest, isArchive, ...(held && { held }) }
        return await this.keep(artefact, await composeEvidence(composer, parts, this.deadline))
      } catch (error) {
        if (!isRevoked(readTokenChain(latest)[0], error)) throw error
        latest = await this.replaceToken(stamp, original, { error, revoked: latest })
      }
    }
  }

  /** The stored one, or one of the authority's present certificate. */
  private async replaceToken(
    stamp: number,
    original: Buffer,
    { error, revoked }: { error: unknown; revoked: Buffer },
  ): Promise<Buffer> {
    const { composer } = this.evidence
    const { timeStamps, hash, threads } = composer
    const key = stampedKey(this.organizationId, this.request.invoiceId, stamp)
    if (!(await this.objects.get(key))) {
      const signature = await threads.readSignature(original, this.deadline)
      const [signer] = parseCertificates(signature.keyInfo)
      const [next] = await timeStamps.certificates(this.deadline)
      // Such a stamp would prove nothing.
      if (next.raw.equals(readTokenChain(revoked)[0].raw)) throw error
      if (new Date(signer.validTo) < composer.now()) throw error
      const input = signatureTimeStampInput({ signature })
      const digest = createHash(hash).update(input).digest()
      const notBefore = new Date(signature.signingTime)
      const query = { hash, digest, notBefore, deadline: this.deadline }
      const { token } = await timeStamps.stamp(query)
      await this.write(key, appendEvidence(original, [{ kind: 'signatureTimeStamp', token }]))
    }
    const stamped = await this.read(key)
    if (!removeEvidence(stamped).equals(original)) {
      this.reportForeign(key, ofAnother)
      return this.replaceToken(stamp + 1, original, { error, revoked })
    }
    return lastToken(await threads.read(stamped, this.deadline))
  }

  private async keep(artefact: number, bytes: Buffer): Promise<EvidenceAnswer> {
    const key = this.keyTo(artefact)
    const isOurs = await this.write(key, bytes)
    this.evidence.invalid.recovered(this.request.invoiceId)
    const kept = isOurs ? bytes : await this.read(key)
    if (!isOurs && (await this.judge({ artefact, bytes: kept })) !== 'valid') {
      if (artefact === 0) throw unavailable('The archive', new Error(`${key} is of others`))
      return this.keep(artefact + 1, bytes)
    }
    const read = await this.evidence.composer.threads.read(kept, this.deadline)
    return this.describe(artefact, read)
  }

  /** True when these bytes are stored: another process may have been faster. */
  private async write(key: string, bytes: Buffer): Promise<boolean> {
    const { invoiceDate, signedAt } = this.request
    const object = toStoredObject('signedXml', bytes, { invoiceDate, signedAt })
    try {
      await this.objects.put(key, object)
      return true
    } catch (error) {
      if (!(error instanceof ObjectTaken)) throw error
      return false
    }
  }

  private async read(key: string): Promise<Buffer> {
    const kept = (await this.objects.get(key))?.bytes
    if (!kept) throw new Error(`${key} cannot be read after it was written`)
    return kept
  }

  /** The archive may have newer ones than the store knows, and some of other writers. */
  private async findNewest(): Promise<Found> {
    const { artefact: known, token } = this.request
    // A restored store may know nothing of level LT, nor of the time stamp.
    const first = known ?? (this.evidence.level === 'LTA' && token ? 1 : 0)
    const there: number[] = []
    let last: Buffer | undefined
    let next = first
    for (; ; next += 1) {
      const stored = await this.objects.get(this.keyTo(next))
      if (stored) {
        there.push(next)
        last = stored.bytes
      } else if (next === known) {
        throw new ApiError('ARTEFACT_NOT_AVAILABLE', `${this.keyTo(next)} is not in the archive.`)
      } else if (next > 0) break
    }
    let ended: Held | undefined
    for (const artefact of there.toReversed()) {
      const held = { artefact, bytes: last ?? (await this.read(this.keyTo(artefact))) }
      const found = await this.judge(held)
      if (found === 'valid') return { newest: held, nextArchive: next, isForeignFound: false }
      if (found === 'ended') ended ??= held
      last = undefined
    }
    if (ended) return { newest: ended, nextArchive: next, isForeignFound: false }
    const isForeignFound = there.length > 0
    if (isForeignFound && !token) {
      throw new InvalidEvidence('none of the evidence in the archive is valid for this document')
    }
    return { newest: undefined, nextArchive: next, isForeignFound }
  }

  /** `ended`: it was valid when it was stamped last, and may be an old copy. */
  private async judge({ artefact, bytes }: Held): Promise<'valid' | 'ended' | 'foreign'> {
    const key = this.keyTo(artefact)
    if (!removeEvidence(bytes).equals(await this.readDocument())) {
      return this.reportForeign(key, ofAnother)
    }
    // Verified when the store learned of it; before a renewal it is again.
    if (artefact === this.request.artefact) return 'valid'
    const { composer } = this.evidence
    const expected = { document: bytes, level: artefact === 0 ? 'LT' : 'LTA' } as const
    try {
      await requireValid(composer, expected, this.deadline)
      return 'valid'
    } catch (error) {
      if (!(error instanceof InvalidEvidence)) throw error
      return (await this.isEnded(expected)) ? 'ended' : this.reportForeign(key, error.message)
    }
  }

  private reportForeign(key: string, problem: string): 'foreign' {
    foreignArtefacts.inc({ artefact: 'evidence' })
    this.log.error(
      { problem, invoiceId: this.request.invoiceId, organizationId: this.organizationId },
      `${key} is not valid evidence of this invoice and is skipped: find out who can write to the archive`,
    )
    return 'foreign'
  }

  private async isEnded(expected: Parameters<typeof requireValid>[1]): Promise<boolean> {
    const { composer } = this.evidence
    try {
      const last = lastToken(await composer.threads.read(expected.document, this.deadline))
      const now = () => parseToken(last).info.time
      await requireValid({ ...composer, now }, expected, this.deadline)
      return true
    } catch (error) {
      if (error instanceof ApiError) throw error
      return false
    }
  }

  /** Evidence that the store names may be all that is left of it. */
  private async readDocument(): Promise<Buffer> {
    const { artefact } = this.request
    const original = await this.findOriginal()
    if (original || artefact === undefined) return original ?? missing()
    return removeEvidence(await this.read(this.keyTo(artefact)))
  }

  private async readOriginal(): Promise<Buffer> {
    return (await this.findOriginal()) ?? missing()
  }

  private async findOriginal(): Promise<Buffer | undefined> {
    const key = artefactKey(this.organizationId, this.request.invoiceId, 'signedXml')
    return (this.original ??= (await this.objects.get(key))?.bytes)
  }

  private keyTo(artefact: number): string {
    return evidenceKey(this.organizationId, this.request.invoiceId, artefact)
  }

  private renewBy(token: Buffer): Date | undefined {
    const stamp = { token, certificate: readTokenChain(token)[0] }
    return computeRenewBy(stamp, this.evidence.renewal, computeRetention(this.request))
  }

  /** Another stamp with the same certificate would end as soon. */
  private async isWorthRenewing(token: Buffer): Promise<boolean> {
    const { composer, renewal } = this.evidence
    const [next] = await composer.timeStamps.certificates(this.deadline)
    const end = findEnd(readTokenChain(token)[0], listHashes(token), renewal)
    return findEnd(next, [composer.hash], renewal) > end
  }

  private describe(artefact: number, read: ReadDocument): EvidenceAnswer {
    const [first] = read.tokens
    return {
      level: nameLevel(artefact === 0 ? 'LT' : 'LTA'),
      artefact,
      renewBy: this.renewBy(lastToken(read))?.toISOString(),
      timeStampedAt: first && parseToken(Buffer.from(first)).info.time.toISOString(),
    }
  }
}
