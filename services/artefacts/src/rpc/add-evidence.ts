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
import { listHashes } from '@einvoicing/verification/algorithm-ends'
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
import { computeRetention, evidenceKey } from '../artefact'
import { ArchivedEvidence } from '../evidence/archived-evidence'
import {
  readTokenChain,
  composeEvidence,
  InvalidEvidence,
  lastToken,
  renewEvidence,
  requireValid,
  type Composer,
} from '../evidence/compose'
import { findNewestEvidence } from '../evidence/find-newest'
import { judgeEvidence, type EvidenceContext } from '../evidence/judge'
import { computeRenewBy, findEnd, type RenewalConfig } from '../evidence/renew-by'
import { spread } from '../evidence/spread'
import type { ReadDocument } from '../evidence/worker'
import type { Objects } from '../objects/objects'
import { CertificateRevoked, NotYetPublished } from '../revocations/revocations'

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

class EvidenceWork {
  private readonly organizationId: string
  private readonly evidence: Evidence
  private readonly context: EvidenceContext

  constructor(
    { objects, log }: Pick<EvidenceDeps, 'objects' | 'log'>,
    evidence: Evidence,
    { request, call }: Asked,
  ) {
    this.organizationId = callerOrganization(call.caller)
    this.evidence = evidence
    const archived = new ArchivedEvidence({ objects, log }, this.organizationId, request)
    const { composer } = evidence
    this.context = { archived, request, composer, deadline: call.deadline }
  }

  async run(): Promise<EvidenceAnswer> {
    const { composer, deadline, request } = this.context
    const { level } = this.evidence
    const found = await findNewestEvidence(this.context, level)
    const { newest: held, nextArchive: next, isForeignFound } = found
    if (!held) {
      if (level === 'B' || level === 'T') return {}
      return this.begin(level === 'LT' && !isForeignFound ? 0 : next, request.token)
    }
    const read = await composer.threads.read(held.bytes, deadline)
    const last = lastToken(read)
    const renewBy = this.renewBy(last)
    const isDue = renewBy !== undefined && renewBy <= composer.now()
    const isBelow = held.artefact === 0 && level === 'LTA'
    if (!isDue && !isBelow) return this.describe(held.artefact, read)
    if (isDue) {
      const expected = { document: held.bytes, level: held.artefact === 0 ? 'LT' : 'LTA' } as const
      await requireValid(composer, expected, deadline)
      if (!(await this.isWorthRenewing(last))) return { waitUntil: inADay(composer.now()) }
    }
    if (held.artefact === 0) return this.begin(next, last, read)
    const document = { document: held.bytes, read }
    try {
      return await this.store(next, await renewEvidence(composer, document, deadline))
    } catch (error) {
      if (!isRevoked(readTokenChain(last)[0], error)) throw error
      const [first] = read.tokens
      return await this.begin(next, first && Buffer.from(first), read)
    }
  }

  waitInvalid(err: InvalidEvidence): EvidenceAnswer {
    const { composer, request } = this.context
    const { invoiceId } = request
    const waitUntil = inADay(composer.now())
    const { organizationId } = this
    this.evidence.invalid.failed(invoiceId, {
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
    const { archived, composer, deadline } = this.context
    const original = await archived.readOriginal()
    // It is stamped first.
    if (!token) return {}
    const isArchive = artefact > 0
    for (let [stamp, latest] = [2, token]; ; stamp += 1) {
      try {
        const parts = { original, token: latest, isArchive, ...(held && { held }) }
        return await this.store(artefact, await composeEvidence(composer, parts, deadline))
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
    const { archived, composer, deadline } = this.context
    const { timeStamps, hash, threads } = composer
    const key = archived.keyToStamped(stamp)
    if (!(await archived.find(key))) {
      const signature = await threads.readSignature(original, deadline)
      const [signer] = parseCertificates(signature.keyInfo)
      const [next] = await timeStamps.certificates(deadline)
      // Such a stamp would prove nothing.
      if (next.raw.equals(readTokenChain(revoked)[0].raw)) throw error
      if (new Date(signer.validTo) < composer.now()) throw error
      const input = signatureTimeStampInput({ signature })
      const digest = createHash(hash).update(input).digest()
      const notBefore = new Date(signature.signingTime)
      const query = { hash, digest, notBefore, deadline }
      const { token } = await timeStamps.stamp(query)
      await archived.write(key, appendEvidence(original, [{ kind: 'signatureTimeStamp', token }]))
    }
    const stamped = await archived.read(key)
    if (!removeEvidence(stamped).equals(original)) {
      archived.reportOtherDocument(key)
      return this.replaceToken(stamp + 1, original, { error, revoked })
    }
    return lastToken(await threads.read(stamped, deadline))
  }

  private async store(artefact: number, bytes: Buffer): Promise<EvidenceAnswer> {
    const { archived, composer, deadline, request } = this.context
    const key = archived.keyTo(artefact)
    const isOurs = await archived.write(key, bytes)
    this.evidence.invalid.recovered(request.invoiceId)
    const stored = isOurs ? bytes : await archived.read(key)
    if (!isOurs && (await judgeEvidence(this.context, { artefact, bytes: stored })) !== 'valid') {
      if (artefact === 0) throw unavailable('The archive', new Error(`${key} is of others`))
      return this.store(artefact + 1, bytes)
    }
    return this.describe(artefact, await composer.threads.read(stored, deadline))
  }

  private renewBy(token: Buffer): Date | undefined {
    const stamp = { token, certificate: readTokenChain(token)[0] }
    return computeRenewBy(stamp, this.evidence.renewal, computeRetention(this.context.request))
  }

  /** Another stamp with the same certificate would end as soon. */
  private async isWorthRenewing(token: Buffer): Promise<boolean> {
    const { composer, renewal } = this.evidence
    const [next] = await composer.timeStamps.certificates(this.context.deadline)
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
