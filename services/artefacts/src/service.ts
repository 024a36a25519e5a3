import { openTokenKeys } from '@einvoicing/access/token-keys'
import { createVerificationUrl } from '@einvoicing/access/verification-addresses'
import { Gauge } from 'prom-client'
import type { Clock } from '@einvoicing/runtime/clock'
import type { Log } from '@einvoicing/runtime/log'
import { metrics } from '@einvoicing/runtime/metrics'
import { Outage } from '@einvoicing/runtime/outage'
import { checkDependencies, type Probe } from '@einvoicing/rpc/readiness'
import type { Service } from '@einvoicing/rpc/call'
import { TrustedCertificates } from '@einvoicing/verification/trusted-certificates'
import type { ArtefactsService } from '@einvoicing/proto/artefacts'
import type { ArchiveConfig, ArtefactsConfig } from './config'
import { openDrawing } from './drawing/drawing'
import { openEvidenceThreads, type EvidenceThreads } from './evidence/threads'
import { openRevocations } from './revocations/cached-revocations'
import { addEvidence, readEvidence, type EvidenceDeps } from './rpc/add-evidence'
import { keepFinalArtefacts, keepSignedXml, type Deps } from './rpc/store-artefacts'
import { openFilesystemObjects } from './objects/filesystem/filesystem-objects'
import type { Objects } from './objects/objects'
import { RecentBytes } from './recent-bytes'
import { keepAuditCheckpoint, type CheckpointDeps } from './rpc/audit-checkpoints'
import { readTrust } from './rpc/read-trust'
import { timeStampDigest, timeStampSignature, type Stamping } from './rpc/time-stamps'
import { openHttpClient, type HttpClient } from './time-stamps/http-client'
import { openHttpTimeStamps } from './time-stamps/http-time-stamps'
import { trustFile } from './time-stamps/trust'
import { drawPreview, listKeptXml, readKeptXml, readPdf, readQr } from './rpc/read-artefacts'

/** A thousand usual documents: in a burst, each waits for its decision before its PDF is drawn. */
const recentXmlBytesMax = 16 * 1024 * 1024

const daySeconds = 86_400

const renewBefore = new Gauge({
  name: 'einvoicing_evidence_renew_before_seconds',
  help: 'EVIDENCE_RENEW_BEFORE_DAYS in seconds; 0 without a time-stamp authority',
  registers: [metrics],
})

export interface Artefacts {
  handlers: Service<ArtefactsService>
  close(): Promise<void>
}

export async function openArtefacts(
  config: ArtefactsConfig,
  { now, log }: { now: Clock; log: Log },
): Promise<Artefacts> {
  // First, so that Node's file threads do not inherit the low priority of a drawing thread.
  const objects = await openObjects(config, { now, log })
  const findAddress = await openAddresses(config.verification)
  const drawing = openDrawing({ log, environment: config.environment })
  const trusted = new TrustedCertificates(config.trust)
  await trusted.warnIfIncomplete(log)
  const probe: Probe = { name: config.kind, essential: true, check: () => objects.check() }
  log.info({ archive: config }, 'archive opened')
  const http = openHttpClient()
  const threads = openEvidenceThreads(log)
  const evidence = openEvidence(config, { http, now, log, trusted, threads })
  const recentXml = new RecentBytes(recentXmlBytesMax)
  const stamping = { objects, recentXml, evidence, now, log }
  const { timeStampTrustFile: file } = config
  const timeStamps = evidence?.timeStamps.trusted ?? (file === undefined ? file : trustFile(file))
  return {
    handlers: {
      ...createHandlers(
        { objects, recentXml, drawing, log, trusted, threads, findAddress },
        stamping,
      ),
      readTrust: () => readTrust({ trusted, timeStamps }),
      checkArtefacts: (_, call) => checkDependencies([probe], { call, log }),
    },
    close: async () => {
      await drawing.close()
      await threads.close()
      await http.close()
      await objects.close()
    },
  }
}

export function warnWithoutTimeStamps({ evidence }: ArtefactsConfig, log: Log): void {
  if (evidence) return
  log.warn(
    'TSA_URL is not set: signatures get no time stamp and are valid only until their certificate expires',
  )
}

async function openAddresses(
  config: ArtefactsConfig['verification'],
): Promise<Deps['findAddress']> {
  if (!config) return () => undefined
  const { publicUrl, secret } = config
  const keys = await openTokenKeys('VERIFY_SECRET_FILE', secret)
  return ({ id, xmlSha256 }) =>
    xmlSha256 === undefined ? undefined : createVerificationUrl(publicUrl, id, keys)
}

interface EvidenceOptions {
  http: HttpClient
  now: Clock
  log: Log
  trusted: TrustedCertificates
  threads: EvidenceThreads
}

function openEvidence(
  { evidence: config, environment }: ArtefactsConfig,
  { http, now, log, trusted, threads }: EvidenceOptions,
) {
  if (!config) return undefined
  const { level, renewal } = config
  renewBefore.set(renewal.beforeDays * daySeconds)
  const { hash, url, trustedCertificatesFile } = config.timeStamps
  const timeStamps = openHttpTimeStamps(config.timeStamps, { http, now })
  const revocations = openRevocations({
    http,
    now,
    files: config.revocations.files,
    isSandbox: environment === 'test',
    sandboxCrlUrl: trustedCertificatesFile === undefined ? `${url}/crl` : undefined,
  })
  const readTrust = async () => ({
    signers: await trusted.list(),
    timeStamps: await timeStamps.trusted(),
  })
  const composer = { timeStamps, hash, revocations, threads, now, readTrust }
  const invalid = new Outage({
    log,
    startMessage:
      'evidence that is not valid gets no further time stamp for a day; unless err says otherwise, TRUSTED_CERTIFICATES_FILE and TSA_TRUSTED_CERTIFICATES_FILE must also name the authorities of older signatures and time stamps',
    endMessage: 'evidence is valid again',
    forgottenMs: 26 * 3_600_000,
  })
  return { level, hash, timeStamps, composer, renewal, invalid }
}

async function openObjects(
  config: ArchiveConfig,
  { now, log }: { now: Clock; log: Log },
): Promise<Objects> {
  if (config.kind === 'filesystem') return openFilesystemObjects(config.directory, now)
  const { openS3Objects } = await import('@einvoicing/artefacts/objects/s3/s3-objects')
  return openS3Objects(config, { now, log })
}

function createHandlers(
  deps: Deps,
  stamping: Stamping & EvidenceDeps & CheckpointDeps,
): Omit<Service<ArtefactsService>, 'checkArtefacts' | 'readTrust'> {
  return {
    keepSignedXml: (request, call) => keepSignedXml(deps, request, call),
    keepFinalArtefacts: (request, call) => keepFinalArtefacts(deps, request, call),
    readKeptXml: (request, call) => readKeptXml(deps, request, call),
    listKeptXml: (request) => listKeptXml(deps, request),
    readPdf: (request, call) => readPdf(deps, request, call),
    drawPreview: (request, call) => drawPreview(deps, request, call),
    readQr: (request, call) => readQr(deps, request, call),
    keepAuditCheckpoint: (request, call) => keepAuditCheckpoint(stamping, request, call),
    timeStampDigest: (request, call) => timeStampDigest(stamping, request, call),
    timeStampSignature: (request, call) => timeStampSignature(stamping, request, call),
    addEvidence: (request, call) => addEvidence(stamping, request, call),
    readEvidence: (request, call) => readEvidence(deps, request, call),
  }
}
